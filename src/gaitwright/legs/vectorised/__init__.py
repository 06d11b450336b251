"""Measures of legs for many designs at a time, with their derivatives."""
