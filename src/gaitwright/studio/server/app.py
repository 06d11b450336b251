"""The application: pages, files of the page, the list of models, results to look at and to keep, and the socket."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from typing import Annotated, Any

from annotated_types import MaxLen
from anyio import to_thread
from pydantic import BaseModel, Field, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute

from gaitwright.errors import GaitwrightError, ModelError
from gaitwright.messages import explain
from gaitwright.studio import results
from gaitwright.studio.server import thumbnails
from gaitwright.studio.server.desk import Studio
from gaitwright.studio.server.encoding import encoded
from gaitwright.studio.server.guard import REPORT_POLICY, Guard, Guarded
from gaitwright.studio.server.talk import talk
from gaitwright.studio.signatures import STRICT
from gaitwright.studio.unexpected import report_unexpected

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
    pages: dict[str, Endpoint] = {
        "/": start_page,
        "/edit": edit_page,
        "/static/{name}": static,
        "/api/start": start,
        "/api/thumbnail/{name}": thumbnail,
        "/space": space,
        "/run/{run}/{name:path}": run_file,
        "/view/{run}": view,
        "/export/{run}/{kind}": export,
    }
    routes = [
        *(Route(path, answered(endpoint)) for path, endpoint in pages.items()),
        Route("/api/create", answered(create), methods=["POST"]),
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

    app = Starlette(routes=routes, lifespan=lifespan)
    app.state.studio, app.state.thumbnails = studio, {}
    return Guarded(app, guard)


Endpoint = Callable[[Request], Awaitable[Response]]


def answered(endpoint: Endpoint) -> Endpoint:
    """The endpoint with every exception as an answer in JSON, whose `error` is one sentence."""

    @functools.wraps(endpoint)
    async def safe(request: Request) -> Response:
        try:
            return await endpoint(request)
        except GaitwrightError as error:
            return _refusal(str(error), 400)
        except HTTPException:
            raise
        except OSError as error:
            return _refusal(f"the disk refuses it: {(error.strerror or 'it does not say why').lower()}", 400)
        except Exception:
            return _refusal(report_unexpected("this request"), 500)

    return safe


def _refusal(sentence: str, status: int) -> Response:
    return Response(encoded({"error": sentence}), status, media_type="application/json")


def _json(value: Any) -> Response:
    return Response(encoded(value), media_type="application/json")


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

    return _json(await to_thread.run_sync(listed))


async def thumbnail(request: Request) -> Response:
    """A picture of the gallery, with poses to play; made once."""
    studio: Studio = request.app.state.studio
    name, made = request.path_params["name"], request.app.state.thumbnails
    if name not in made:
        made[name] = await to_thread.run_sync(lambda: thumbnails.thumbnail(studio.workspace, name))
    return _json(made[name])


class NewFile(BaseModel):
    """A new file: blank, like a ready model, or a copy."""

    model_config = STRICT
    path: Annotated[str, MaxLen(1000)] = Field(description="a name such as leg.yaml")
    like: Annotated[str, MaxLen(1000)] | None = Field(None, description="a ready model, or blank")


async def create(request: Request) -> Response:
    size = request.headers.get("content-length", "")
    short = size.isascii() and size.isdecimal() and len(size) < 10 and int(size) <= LARGEST_REQUEST
    if not short or request.headers.get("content-type") != "application/json":
        raise ModelError("a new file is asked for with JSON", expected=f"at most {LARGEST_REQUEST} bytes of it")
    try:
        wish = NewFile.model_validate_json(await request.body())
    except ValidationError as error:
        raise _explained(error) from None
    studio: Studio = request.app.state.studio

    def make() -> None:
        studio.workspace.create(wish.path, like=wish.like)
        studio.workspace.close(wish.path)  # the page that opens it counts for itself

    await to_thread.run_sync(make)
    return _json({"path": wish.path})


def _explained(error: ValidationError) -> ModelError:
    if error.errors()[0]["type"] == "json_invalid":
        return ModelError("the request for a new file is not valid JSON", expected="{path: leg.yaml, like: jansen-leg}")
    return explain(error, "the request for a new file", NewFile)


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
