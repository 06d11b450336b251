"""Flexible beams in the plane and in space."""
