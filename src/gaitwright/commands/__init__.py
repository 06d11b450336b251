"""The commands of the command line, by what they are about. What is heavy is imported by the command that needs it."""
