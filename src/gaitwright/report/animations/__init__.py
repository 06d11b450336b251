"""Animations of scenes."""
