"""Joints: constraints between bodies, without time. One file each; defining the class registers it."""
