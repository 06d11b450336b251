"""Foundations used by every package: exceptions, error context, file input and output, locking, messages."""
