"""Pydantic schema of model documents."""
