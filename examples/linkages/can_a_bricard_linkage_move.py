"""Can six bars with six hinges in space move, although counting says that they cannot?

Bricard's can: one degree of freedom, since one condition follows from the others. The check names it.
"""

from gaitwright.mechanisms import bricard


def main(picture: str | None = None) -> dict[str, float]:
    model = bricard()
    found = model.check()
    if picture:
        model.simulate(until=1.0, step=1e-2, method="gauss2").draw(picture, ghosts=3)
    return {"degrees of freedom": float(found.degrees_of_freedom), "redundant": float(len(found.redundant))}


if __name__ == "__main__":
    print(main("can_a_bricard_linkage_move.png"))
