"""Latency, throughput and memory of the system, with the machine they were measured on."""
