"""Saint-Venant torsion of a rectangle."""

import numpy as np

Array = np.ndarray


def torsion_of_rectangle(b: Array, h: Array) -> Array:
    """Return the torsion constant J, m^4, of rectangles with sides b and h, m: torque = G J times twist (S. Timoshenko, J. N.
    Goodier, Theory of Elasticity, section 109)."""
    short, long = np.minimum(b, h), np.maximum(b, h)
    odd = np.arange(1, 40, 2)
    series = (np.tanh(np.multiply.outer(long / short, odd) * np.pi / 2) / odd**5).sum(axis=-1)
    return long * short**3 / 3 * (1 - 192 / np.pi**5 * short / long * series)
