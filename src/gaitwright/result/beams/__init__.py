"""Outputs of flexible beams."""
