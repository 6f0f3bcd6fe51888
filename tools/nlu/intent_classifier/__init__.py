"""The learnt intent classifier: features, models, calibration and training."""
