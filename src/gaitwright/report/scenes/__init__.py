"""Scenes: geometry to draw, in the plane and in space."""
