"""Drives: constraints that follow a function of time. One file each; defining the class registers it."""
