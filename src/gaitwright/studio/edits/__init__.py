"""Edits of a drawing: one function per command, listed in COMMANDS of studio/commands.py."""
