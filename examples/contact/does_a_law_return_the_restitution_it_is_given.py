"""Does a contact law return the restitution that it is given?

Not Lankarani and Nikravesh's: with 0.3 a ball comes back with 0.684. Zhang and Sharf's returns 0.299.
"""

import gaitwright as gw
from gaitwright.mechanisms import falling_ball


def main(picture: str | None = None) -> dict[str, float]:
    found = {}
    for name, law in (("Lankarani-Nikravesh", gw.laws.LankaraniNikravesh), ("Zhang-Sharf", gw.laws.ZhangSharf)):
        run = falling_ball(law(stiffness=1.4e8, restitution=0.3), gravity=9.81).simulate(until=0.6, output_step=0)
        found[name] = float(run.contacts("floor")["restitution"].iloc[0])
        if picture and name == "Zhang-Sharf":
            run.plot("floor.normal_force", against="floor.penetration", path=picture)
    return found


if __name__ == "__main__":
    print(main("does_a_law_return_the_restitution_it_is_given.png"))
