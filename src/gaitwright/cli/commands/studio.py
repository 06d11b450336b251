"""Command `studio`: open the studio in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from gaitwright._core.errors import ModelError
from gaitwright.cli.options import DEFAULT_OUTPUT_FOLDER
from gaitwright.cli.terminal import command_output

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")


def studio(
    path: Annotated[
        Path, typer.Argument(metavar="MODEL|FOLDER", help="A model file to open, or a folder with models.")
    ] = Path("."),
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address without opening a browser.")
    ] = False,
    host: Annotated[
        str,
        typer.Option("--host", help="Address to listen on; with any other than 127.0.0.1, other machines can connect."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Port; default: a free one.")] = 0,
) -> None:
    """Draw mechanisms in the browser, drag joints, watch the foot path, run and compare; needs the extra `studio`."""
    with command_output(DEFAULT_OUTPUT_FOLDER, False) as screen:
        from gaitwright.cli.command_schema import describe_analyses
        from gaitwright.studio.server.serve import StudioServer, open_browser

        folder, first = resolve_folder_and_model(path)
        if host not in LOOPBACK_HOSTS:
            print(
                f"warning: --host {host}: anyone in your network with the address and its token can read and change the "
                f"models in {folder}; the connection is not encrypted",
                file=sys.stderr,
            )
        served = StudioServer(folder, describe_analyses(), host=host, port=port, first=first)

        def ready(address: str) -> None:
            screen.say(f"studio: {address}", f"models in {folder.resolve()}; Ctrl-C ends it")
            sys.stdout.flush()
            if not no_browser and not open_browser(address):
                screen.say("no browser was found: open the address above in one")

        served.run(ready)
        screen.say("the studio has ended; everything drawn is in its files")


def resolve_folder_and_model(path: Path) -> tuple[Path, str | None]:
    """The folder to open, and the name of the model to show first. A file that does not exist yet is created by the studio."""
    if path.is_dir():
        return path, None
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise ModelError(
            f"'{path}' is no folder and no model file", expected="a folder, or a model file such as leg.yaml"
        )
    if not path.parent.is_dir():
        raise ModelError(f"there is no folder '{path.parent}'", expected="a model file in a folder that exists")
    return path.parent, path.name
