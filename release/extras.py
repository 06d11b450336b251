"""What each extra is for, done with it: runs where Gaitwright and this extra are installed; elsewhere one sentence refuses it.

python release/extras.py robots
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
MACROS = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:property name="m" value="2"/><link name="l${m}"/></robot>"""


def look_of_a_robot(folder: Path) -> None:
    from gaitwright.formats.mesh_file import read_mesh

    path = folder / "triangle.obj"
    path.write_text(TRIANGLE, encoding="utf-8")
    vertices, faces = read_mesh(path)
    assert vertices.shape == (3, 3) and len(faces) == 1


def macros_of_a_robot(folder: Path) -> None:
    from gaitwright.formats.urdf_resources import expand_xacro

    path = folder / "robot.xacro"
    path.write_text(MACROS, encoding="utf-8")
    assert 'name="l2"' in expand_xacro(path)


def mesh_of_another_program(folder: Path) -> None:
    import gaitwright as gw

    box = gw.mesh.box((0.1, 0.1, 0.1), 2)
    assert len(gw.mesh.read(box.save(folder / "box.vtu"), unit="m").cells) == len(box.cells)


def cut_with_a_cap(folder: Path) -> None:
    import gaitwright as gw

    half = gw.mesh.cut(gw.mesh.box((0.1, 0.1, 0.1), 2).surface(), (0, 0, 0.01), (0, 0, 1))
    assert gw.mesh.surface_report(half).closed


def filled_with_tetrahedra(folder: Path) -> None:
    import gaitwright as gw

    filled = gw.mesh.fill(gw.mesh.box((0.1, 0.1, 0.1), 2).surface(), 0.05, threads=1)
    assert abs(filled.volume - 1e-3) < 1e-5


def trial_in_c3d(folder: Path) -> None:
    import numpy as np

    from gaitwright.formats.c3d_file import C3dTrial, read_c3d, write_c3d

    path = write_c3d(folder / "trial.c3d", C3dTrial(["HEEL"], np.ones((5, 1, 3)), "mm", 100.0))
    assert read_c3d(path).labels == ["HEEL"]


def sweep_on_a_cluster(folder: Path) -> None:
    """Scheduler and worker in this process: more would need other machines."""
    import gaitwright as gw
    from gaitwright.design.executors.dask_executor import connect_client

    try:
        connect_client("tcp://127.0.0.1:1")
    except gw.ModelError:  # nobody is there, which Dask found out
        from distributed import Client, LocalCluster
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        leg = gw.mechanisms.jansen_leg()
        data = gw.sweep(leg, {"L6": [0.40, 0.41]}, analysis=gw.one_turn(), measures=gw.measure_leg, client=client)
    assert not any(data["failure"].values)


def large_systems(folder: Path) -> None:
    """Not needed for anything, so nothing refuses: without it SciPy does the same in more time."""
    from gaitwright.linalg.backends import fastest_pivoting_backend

    assert fastest_pivoting_backend() == "pardiso"


def drawing_in_dxf(folder: Path) -> None:
    import gaitwright as gw

    path = folder / "four-bar.dxf"
    gw.export(gw.mechanisms.four_bar(), path)
    assert gw.import_model(path).document.links


def look_in_the_plane(folder: Path) -> None:
    from gaitwright.report.views.scenes.planar_outlines import mesh_outlines

    path = folder / "triangle.obj"
    path.write_text(TRIANGLE, encoding="utf-8")
    mesh_outlines.cache_clear()
    assert len(mesh_outlines(str(path), (1.0, 1.0, 1.0))) == 1


def table_in_parquet(folder: Path) -> None:
    import gaitwright as gw

    run = gw.mechanisms.four_bar().kinematics(0.1, step=0.05)
    assert run.save(folder / "run.parquet").stat().st_size > 0


def serve_the_studio(folder: Path) -> None:
    from gaitwright.studio.server.serve import StudioServer

    StudioServer(folder, []).socket.close()


USES: dict[str, list[Callable[[Path], None]]] = {
    "robots": [look_of_a_robot, macros_of_a_robot],
    "solids": [mesh_of_another_program, cut_with_a_cap, filled_with_tetrahedra],
    "gait": [trial_in_c3d],
    "cluster": [sweep_on_a_cluster],
    "fast": [large_systems],
    "cad": [drawing_in_dxf, look_in_the_plane],
    "tables": [table_in_parquet],
    "studio": [serve_the_studio],
}
"""By extra. `gpu` needs a GPU: its tests are in tests/design/many."""
NEVER_NEEDED = {"fast"}


def main() -> None:
    for use in USES[sys.argv[1]]:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            use(Path(folder))
        print(f"    {use.__name__.replace('_', ' ')}")


if __name__ == "__main__":
    main()
