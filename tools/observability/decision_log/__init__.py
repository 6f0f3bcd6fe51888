"""Decision logs: inputs and decisions as lines of JSON, compared, and answered from on replay."""
