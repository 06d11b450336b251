"""Demonstrations."""
