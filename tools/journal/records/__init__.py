"""Read and write decision records in Markdown (MADR, Nygard, Y-statements)."""
