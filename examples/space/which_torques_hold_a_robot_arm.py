"""Which torques hold a stretched robot arm?

7.06 N m at the shoulder and 1.18 N m at the elbow: weights times levers. The arm comes from URDF.
"""

import tempfile
from pathlib import Path

import gaitwright as gw

ARM = """<robot name='arm'>
<link name='base'/>
<link name='upper'>
  <inertial><origin xyz='0.15 0 0'/><mass value='2'/><inertia ixx='0.001' iyy='0.015' izz='0.015'/></inertial>
</link>
<link name='fore'>
  <inertial><origin xyz='0.12 0 0'/><mass value='1'/><inertia ixx='0.001' iyy='0.005' izz='0.005'/></inertial>
</link>
<joint name='shoulder' type='continuous'><parent link='base'/><child link='upper'/><axis xyz='0 1 0'/></joint>
<joint name='elbow' type='continuous'>
  <parent link='upper'/><child link='fore'/><origin xyz='0.3 0 0'/><axis xyz='0 1 0'/>
</joint>
</robot>"""


def main(picture: str | None = None) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arm.urdf"
        path.write_text(ARM)
        arm = gw.import_model(path)
    for joint in ("shoulder", "elbow"):
        arm.drive.rotation(joint, "0*t", name=f"{joint}-motor")
    run = arm.inverse(until=0.01, step=0.01)
    if picture:
        run.draw(picture)
    return {f"{joint} (N m)": abs(float(run.array(f"{joint}-motor.torque")[0])) for joint in ("shoulder", "elbow")}


if __name__ == "__main__":
    print(main("which_torques_hold_a_robot_arm.png"))
