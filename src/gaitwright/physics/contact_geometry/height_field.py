"""A point or sphere on a terrain given by heights over a grid."""

from gaitwright.physics.declarations import ContactShape, Number
from gaitwright.physics.symbolic import sqrt

COEFFICIENTS_PER_AXIS = 4  # coefficients of a cubic
CELL_PARAMETERS = (
    "x0",
    "y0",
    *(f"c{i}{j}" for i in range(COEFFICIENTS_PER_AXIS) for j in range(COEFFICIENTS_PER_AXIS)),
)
"""Looked-up parameters of the grid cell below a place: its corner, and the coefficients of its polynomial."""


class HeightFieldShape(ContactShape):
    """gap = (z - h(x, y)) / sqrt(1 + h_x^2 + h_y^2), solid below: the distance along the normal, exact on the surface.

    h is the bicubic spline through the heights, h = sum c_ij (x - x0)^i (y - y0)^j in each cell. It has continuous second
    derivatives, so the direction of the force is also continuous across the borders of cells, and elastic laws conserve
    energy. (Rejected: triangles, which transfer a foot at every edge, with a jump in the direction of the force.) Away from the
    surface the error of the gap is its square times the curvature. For a sphere the heights are those of its centre in contact
    (contact/height_field.py), so that R only affects the slip. Nothing is solid beyond the grid."""

    name = "height-field"
    dimensions = (3,)
    parameters = {
        "radius": Number(
            "m", "R of the sphere, by which the heights were moved outwards; 0 for a point", 0.0, minimum=0.0
        ),
        "x_low": Number("m", "start of the grid"),
        "x_high": Number("m", "end of the grid"),
        "y_low": Number("m", "start of the grid"),
        "y_high": Number("m", "end of the grid"),
        **{name: Number("1", "of the cell") for name in CELL_PARAMETERS},
    }

    @staticmethod
    def gap(at, **cell):
        height, slope_x, slope_y = _height(at, cell)
        return (at[2] - height) / sqrt(1 + slope_x**2 + slope_y**2)

    @staticmethod
    def normal(at, **cell):
        _, slope_x, slope_y = _height(at, cell)
        size = sqrt(1 + slope_x**2 + slope_y**2)
        return (-slope_x / size, -slope_y / size, 1 / size)

    @staticmethod
    def region(at, x_low, x_high, y_low, y_high, **cell):
        x, y, _ = at
        return (x - x_low, x_high - x, y - y_low, y_high - y)


def _height(at, cell):
    """Height h and its slopes along x and y."""
    x, y = at[0] - cell["x0"], at[1] - cell["y0"]
    c = [[cell[f"c{i}{j}"] for j in range(COEFFICIENTS_PER_AXIS)] for i in range(COEFFICIENTS_PER_AXIS)]
    across = [sum(row[j] * y**j for j in range(COEFFICIENTS_PER_AXIS)) for row in c]
    rising = [sum(j * row[j] * y ** (j - 1) for j in range(1, COEFFICIENTS_PER_AXIS)) for row in c]
    return (
        sum(across[i] * x**i for i in range(COEFFICIENTS_PER_AXIS)),
        sum(i * across[i] * x ** (i - 1) for i in range(1, COEFFICIENTS_PER_AXIS)),
        sum(rising[i] * x**i for i in range(COEFFICIENTS_PER_AXIS)),
    )
