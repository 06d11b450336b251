"""The application: pages, files of the page, the list of models, results to look at and to keep, and the socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute

from gaitwright.errors import GaitwrightError, ModelError
from gaitwright.studio import results
from gaitwright.studio.server import thumbnails
from gaitwright.studio.server.desk import Studio
from gaitwright.studio.server.guard import REPORT_POLICY, Guard, Guarded
from gaitwright.studio.server.talk import talk

LARGEST_REQUEST = 100_000
"""Bytes of a request: it names a file and what it is to be like."""
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
SHOWN = {
    ".html": "text/html",
    ".png": "image/png",
    ".gif": "image/gif",
    ".json": "application/json",
    ".csv": "text/csv",
}
"""Files of a run that a page may show; everything else is handed over as a download."""


def application(studio: Studio, guard: Guard) -> Guarded:
    """The studio behind its guard, as an ASGI application."""
    routes = [
        Route("/", start_page),
        Route("/edit", edit_page),
        Route("/static/{name}", static),
        Route("/api/start", start),
        Route("/api/thumbnail/{name}", thumbnail),
        Route("/api/create", create, methods=["POST"]),
        Route("/space", space),
        Route("/run/{run}/{name:path}", run_file),
        Route("/view/{run}", view),
        Route("/export/{run}/{kind}", export),
        WebSocketRoute("/socket", talk),
    ]

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:
        from gaitwright.studio.alive import warm

        warming = asyncio.create_task(to_thread.run_sync(warm, abandon_on_cancel=True))
        watching = asyncio.create_task(studio.watch())
        yield
        for task in (watching, warming):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await to_thread.run_sync(studio.end)

    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={GaitwrightError: refuse})
    app.state.studio, app.state.thumbnails = studio, {}
    return Guarded(app, guard)


async def refuse(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, status_code=400)


def _web(name: str) -> Response:
    """A file of the page itself: those of the folder web/, by their plain names."""
    folder = files("gaitwright.studio").joinpath("web")
    known = {entry.name: entry for entry in folder.iterdir() if entry.is_file()}
    suffix = name[name.rfind(".") :]
    if name not in known or suffix not in TYPES:
        return PlainTextResponse("there is no such file\n", status_code=404)
    return Response(known[name].read_bytes(), media_type=TYPES[suffix])


async def start_page(request: Request) -> Response:
    return _web("index.html")


async def edit_page(request: Request) -> Response:
    return _web("studio.html")


async def static(request: Request) -> Response:
    return _web(request.path_params["name"])


async def start(request: Request) -> Response:
    """What the start page lists."""
    studio: Studio = request.app.state.studio

    def listed() -> dict[str, Any]:
        workspace = studio.workspace
        return {
            "folder": str(workspace.folder),
            "files": workspace.files(),
            "gallery": workspace.gallery(),
            "first": studio.first,
        }

    return JSONResponse(await to_thread.run_sync(listed))


async def thumbnail(request: Request) -> Response:
    """A picture of the gallery, with poses to play; made once."""
    studio: Studio = request.app.state.studio
    name, made = request.path_params["name"], request.app.state.thumbnails
    if name not in made:
        made[name] = await to_thread.run_sync(lambda: thumbnails.thumbnail(studio.workspace, name))
    return JSONResponse(made[name])


async def create(request: Request) -> Response:
    """A new file: blank, like a ready model, or a copy."""
    size = request.headers.get("content-length", "")
    if not size.isdigit() or int(size) > LARGEST_REQUEST or request.headers.get("content-type") != "application/json":
        raise ModelError("a new file is asked for with JSON", expected=f"at most {LARGEST_REQUEST} bytes of it")
    try:
        wish = await request.json()
        path, like = wish["path"], wish.get("like")
    except (ValueError, TypeError, KeyError, AttributeError):
        raise ModelError("a new file needs a name", expected="{path: leg.yaml, like: jansen-leg}") from None
    if not isinstance(path, str) or not isinstance(like, str | None):
        raise ModelError("the name of a new file is not a text", expected="{path: leg.yaml, like: jansen-leg}")
    studio: Studio = request.app.state.studio

    def make() -> None:
        studio.workspace.create(path, like=like)
        studio.workspace.close(path)  # the page that opens it counts for itself

    await to_thread.run_sync(make)
    return JSONResponse({"path": path})


async def space(request: Request) -> Response:
    """The model of a file in space, as the page that reports have for it."""
    studio: Studio = request.app.state.studio
    desk = studio.desks.get(request.query_params.get("file", ""))
    if desk is None:
        raise ModelError("this file is not open", expected="a file that a window of the studio shows")
    return _report(await desk.work(lambda: space_page(desk.sheet)))


def space_page(sheet: Any) -> str:
    from gaitwright.report.template import render, script_data

    picture = sheet.show(frames=60, exact=True)
    scene = picture.get("scene")
    if scene is None:
        raise ModelError("this model is not drawn in space", expected="a model with dimension: 3")
    nothing = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    title = str(sheet.state()["name"])
    return render("animation.html", title=title, scene=script_data(scene), space=True, still=nothing, deforming=False)


def _report(text: str) -> Response:
    return HTMLResponse(text, headers={"Content-Security-Policy": REPORT_POLICY})


async def run_file(request: Request) -> Response:
    """A file of a run: shown if it is one of a kind that can do nothing, or a report, which runs in a world of its own."""
    studio: Studio = request.app.state.studio
    run, name = request.path_params["run"], request.path_params["name"]
    path = await to_thread.run_sync(lambda: studio.runs.path(run, name))
    suffix = path.suffix.lower()
    if "download" in request.query_params or suffix not in SHOWN:
        return FileResponse(path, filename=path.name, media_type="application/octet-stream")
    headers = {"Content-Security-Policy": REPORT_POLICY} if suffix == ".html" else {}
    return FileResponse(path, media_type=SHOWN[suffix], headers=headers)


async def view(request: Request) -> Response:
    """The report of a run that wrote none itself."""
    studio: Studio = request.app.state.studio
    run = request.path_params["run"]
    path = await to_thread.run_sync(lambda: results.export(studio.runs, run, "html"))
    return FileResponse(path, media_type="text/html", headers={"Content-Security-Policy": REPORT_POLICY})


async def export(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    run, kind = request.path_params["run"], request.path_params["kind"]
    path = await to_thread.run_sync(lambda: results.export(studio.runs, run, kind))
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")
