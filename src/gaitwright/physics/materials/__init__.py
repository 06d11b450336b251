"""Materials of solids: energy per undeformed volume. One file each; defining the class registers it."""
