"""The commands of the command line, by subject. Large modules are imported by the command that needs them."""
