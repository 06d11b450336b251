"""The command that opens the studio in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from gaitwright.commands.options import HERE
from gaitwright.errors import ModelError
from gaitwright.terminal import speaking

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def studio(
    path: Annotated[
        Path, typer.Argument(metavar="MODEL|FOLDER", help="A model file to open, or a folder with models.")
    ] = Path("."),
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address, open nothing.")] = False,
    host: Annotated[
        str, typer.Option("--host", help="Where to listen; others can reach anything but 127.0.0.1.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Port; a free one unless given.")] = 0,
) -> None:
    """Draw mechanisms in the browser, pull at a joint, watch the foot curve, run and compare; needs the extra `studio`."""
    with speaking(HERE, False) as screen:
        from gaitwright.commands.offered import offered
        from gaitwright.studio.server.serve import Served, open_browser

        folder, first = chosen(path)
        if host not in LOOPBACK:
            print(
                f"warning: --host {host}: whoever in your network knows the address with its token can read and change the "
                f"models in {folder}, and nothing is encrypted",
                file=sys.stderr,
            )
        served = Served(folder, offered(), host=host, port=port, first=first)

        def ready(address: str) -> None:
            screen.say(f"studio: {address}", f"models in {folder.resolve()}; Ctrl-C ends it")
            sys.stdout.flush()
            if not no_browser and not open_browser(address):
                screen.say("no browser was found: open the address above in one")

        served.run(ready)
        screen.say("the studio has ended; everything drawn is in its files")


def chosen(path: Path) -> tuple[Path, str | None]:
    """The folder that is opened, and the model in it that is shown first. A file that is not there yet will be made."""
    if path.is_dir():
        return path, None
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise ModelError(
            f"'{path}' is no folder and no model file", expected="a folder, or a model file such as leg.yaml"
        )
    if not path.parent.is_dir():
        raise ModelError(f"there is no folder '{path.parent}'", expected="a model file in a folder that exists")
    return path.parent, path.name
