"""Scenes of models and results."""
