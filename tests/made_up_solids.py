"""Deforming bodies given by formulas, for tests of pictures: a ball between plates, a bent and twisted bar, a disc."""

import itertools

import numpy as np

from gaitwright.report.scenes.deformable_body import DeformingBody
from gaitwright.report.scenes.nodal_field import NodalField
from gaitwright.report.scenes.planar_scene import PlanarScene, SceneShape
from gaitwright.report.scenes.spatial_scene import MovingBody, SceneSolid, SpatialScene


def brick(nx, ny, nz):
    """Nodes (n, 3) of the cube from -1 to 1 and its tetrahedra (k, 4), six for every cell of a grid."""
    axes = [np.linspace(-1, 1, n + 1) for n in (nx, ny, nz)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    number = np.arange(len(points)).reshape(nx + 1, ny + 1, nz + 1)
    cells = []
    for order in itertools.permutations(range(3)):
        corner = np.zeros(3, dtype=int)
        path = [corner.copy()]
        for axis in order:
            corner[axis] = 1
            path.append(corner.copy())
        cell = [number[a : a + nx, b : b + ny, c : c + nz].ravel() for a, b, c in path]
        odd = np.linalg.det(np.diff(path, axis=0)) < 0
        cells.append(np.stack([cell[0], cell[2], cell[1], cell[3]] if odd else cell, axis=1))
    return points, np.concatenate(cells)


def skin(cells):
    """Outer faces (m, 3) of tetrahedra, counter-clockwise seen from outside."""
    faces = cells[:, [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]].reshape(-1, 3)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[first[count == 1]]


def with_middles(points, cells):
    """Nodes and tetrahedra (k, 10) with nodes at the middles of their edges."""
    pairs = np.sort(cells[:, [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]]], axis=2)
    ends, which = np.unique(pairs.reshape(-1, 2), axis=0, return_inverse=True)
    middles = points[ends].mean(axis=1)
    return np.vstack([points, middles]), np.hstack([cells, len(points) + which.reshape(-1, 6)])


def skin_with_middles(cells):
    """Outer faces (m, 6) of tetrahedra (k, 10)."""
    of_faces = [[1, 2, 3, 5, 9, 8], [0, 3, 2, 7, 9, 6], [0, 1, 3, 4, 8, 7], [0, 2, 1, 6, 5, 4]]
    faces = cells[:, of_faces].reshape(-1, 6)
    _, first, count = np.unique(np.sort(faces[:, :3], axis=1), axis=0, return_index=True, return_counts=True)
    return faces[first[count == 1]]


def ball_nodes(n):
    """The brick blown up to a ball of radius one."""
    points, cells = brick(n, n, n)
    x, y, z = points.T**2
    spread = np.sqrt([1 - y / 2 - z / 2 + y * z / 3, 1 - z / 2 - x / 2 + z * x / 3, 1 - x / 2 - y / 2 + x * y / 3])
    return points * spread.T, cells


def squeezed(n=8, n_times=21, radius=0.05, most=0.3, inside=True):
    """Return a ball that is shortened by a fraction `most`, flat at its contact with plates, with a stress inside
    and a pressure on it."""
    rest, cells = ball_nodes(n)
    share = most * np.sin(np.linspace(0, np.pi, n_times)) ** 2
    points, stress, pressure = [], [], []
    for s in share:
        high = 1.0 - s
        wide = 1.0 + 0.45 * s * np.clip(1.0 - np.abs(rest[:, 2]) ** 3, 0, 1)
        z = np.clip(rest[:, 2] * (1.0 - 0.35 * s), -high, high)
        points.append(radius * np.column_stack([rest[:, 0] * wide, rest[:, 1] * wide, z]))
        off = np.hypot(rest[:, 0], rest[:, 1])
        reach = max(np.sqrt(1.0 - (high / (1.0 - 0.35 * s)) ** 2), 1e-9)
        near = np.exp(-(((np.abs(rest[:, 2]) - 0.75) / 0.3) ** 2) - (off / (0.35 + s)) ** 2)
        stress.append(2.4e6 * s / most * (near + 0.25 * np.exp(-((off / 0.8) ** 2))))
        touched = (np.abs(z) > high - 1e-9) & (off < reach)
        pressure.append(
            np.where(touched, 1.7e6 * np.sqrt(np.clip(1 - (off / reach) ** 2, 0, 1)) * np.sqrt(s / most), 0)
        )
    fields = [
        NodalField("von Mises stress", "Pa", stress),
        NodalField("contact pressure", "Pa", pressure, on_surface=True),
        NodalField("displacement up", "m", np.array(points)[..., 2] - radius * rest[:, 2]),
    ]
    inner = cells if inside else None
    return DeformingBody("ball", points, skin(cells), fields, inner, reference=radius * rest)


def press(n=8, n_times=21, **options):
    """Return the ball between two steel plates; the lower plate is fixed."""
    ball = squeezed(n, n_times, **options)
    low, high = ball.box[:, 0, 2], ball.box[:, 1, 2]
    radius = high[0]
    punch = SceneSolid("punch", "cylinder", (0.62 * radius, 0.16 * radius))
    straight = np.tile([1.0, 0, 0, 0], (n_times, 1))
    travel = np.stack([0 * high, 0 * high, high - low + 0.08 * radius], axis=1)
    upper = MovingBody("punch", travel, straight, [punch])
    base = SceneSolid("base", "box", (3.2 * radius, 3.2 * radius, 0.16 * radius), at=(0, 0, -0.08 * radius))
    ball = DeformingBody(
        ball.name, ball.points - [0, 0, 1] * low[:, None, None], ball.faces, ball.fields, ball.cells,
        reference=ball.reference + np.array([0, 0, radius]),
    )  # fmt: skip
    return SpatialScene("Ball between plates", np.linspace(0, 1, n_times), [upper], [base], deforming=[ball])


def bent(n=4, n_times=25, quadratic=True, travel=0.0):
    """Return a square bar, clamped at x = 0, that is bent up and down and twisted by small displacements: 4 mm of
    0.4 m."""
    rest, cells = brick(4 * n, n, n)
    rest = rest * [0.2, 0.025, 0.025] + [0.2, 0, 0]
    faces = skin(cells)
    if quadratic:
        rest, cells = with_middles(rest, cells)
        faces = skin_with_middles(cells)
    time = np.linspace(0, 1, n_times)
    points, strain = [], []
    for t in time:
        s, swing = rest[:, 0] / 0.4, np.sin(2 * np.pi * t)
        twist, slope = 0.03 * swing * s, 0.02 * swing * s
        y, z = rest[:, 1] - twist * rest[:, 2], rest[:, 2] + twist * rest[:, 1]
        points.append(np.column_stack([rest[:, 0] - slope * rest[:, 2] + travel * t, y, z + 0.004 * swing * s**2]))
        strain.append(-swing * 4e-4 * rest[:, 2] / 0.025 * (1 - s))
    fields = [NodalField("axial strain", "", strain)]
    body = DeformingBody("bar", points, faces, fields, cells, reference=rest, carried=bool(travel))
    return SpatialScene("Bent and twisted bar", time, deforming=[body])


def disc(rings=7, n_times=25, radius=0.1):
    """A disc of the plane that rolls and is flattened where it touches a floor at y = 0."""
    points, triangles = [(0.0, 0.0)], []
    for k in range(1, rings + 1):
        angle = 2 * np.pi * np.arange(6 * k) / (6 * k)
        points += list(zip(k / rings * np.cos(angle), k / rings * np.sin(angle), strict=True))
    first = lambda k: 0 if k == 0 else 1 + 3 * k * (k - 1)  # noqa: E731
    for k in range(rings):
        for sector in range(6):
            for i in range(k + 1):
                a, b = first(k + 1) + sector * (k + 1) + i, first(k + 1) + (sector * (k + 1) + i + 1) % (6 * (k + 1))
                inner = first(k) + (sector * k + i) % max(6 * k, 1)
                triangles.append((inner, a, b))
                if i < k:
                    triangles.append((inner, b, first(k) + (sector * k + i + 1) % (6 * k)))
    rest, time = np.array(points), np.linspace(0, 1, n_times)
    shown, stress = [], []
    for angle in np.pi * time:
        turned = rest @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        y = np.maximum(turned[:, 1], -0.88)
        depth = np.exp(-(turned[:, 0] ** 2) / 0.12 - (y + 0.78) ** 2 / 0.25)
        shown.append(radius * np.column_stack([turned[:, 0] * (1 + 0.06 * depth) + angle, y + 0.88]))
        stress.append(-3.1e4 * depth + 0.6e4 * np.exp(-((turned[:, 0] ** 2 + (y - 0.2) ** 2) / 0.3)))
    fields = [NodalField("vertical stress", "Pa", stress), NodalField("depth", "m", -np.array(shown)[..., 1])]
    body = DeformingBody("disc", shown, triangles, fields, reference=radius * rest, carried=True)
    floor = SceneShape("floor", "ground", [[[-0.2, 0.0], [0.55, 0.0]]])
    return PlanarScene("Rolling disc", time, [floor], deforming=[body])
