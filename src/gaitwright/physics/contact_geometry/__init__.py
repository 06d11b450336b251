"""Geometry of contacts: the pose of two bodies, and surfaces as functions of it. One file each."""
