"""Geometry of contacts: gap and slide, from which normal, tangent and rates are derived. One file each."""
