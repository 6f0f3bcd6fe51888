"""`prefrontal journal`: decisions people took, read, found, linked and watched for."""
