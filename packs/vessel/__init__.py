"""The planned-maintenance assistant of a motor yacht."""
