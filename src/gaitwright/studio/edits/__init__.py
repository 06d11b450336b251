"""What can be done to a drawing: one function per command, in the table COMMANDS of studio/commands.py."""
