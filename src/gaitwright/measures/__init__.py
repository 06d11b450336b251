"""Measures: named numbers of analysed things, their registries, and the arithmetic of their array forms.

measure.py              a measure (unit, description, functions) and the registry of the measures of one kind of thing
array_derivatives.py    reverse-mode differentiation of array functions, with the derivative rule of each primitive
cubics.py               piecewise cubics of many designs: extremes, zeros, integrals
"""
