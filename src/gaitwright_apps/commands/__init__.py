"""Commands of the applications."""
