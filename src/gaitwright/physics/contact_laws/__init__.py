"""Normal forces of contacts. One file each; defining the class registers it."""
