"""Web application: pages, static files, list of models, results to view and download, and the socket."""

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

from gaitwright._core.errors import GaitwrightError, ModelError
from gaitwright._core.validation_messages import explain_validation_error
from gaitwright.studio import results
from gaitwright.studio.message_models import STRICT_CONFIG
from gaitwright.studio.server import thumbnails
from gaitwright.studio.server.auth import REPORT_CONTENT_POLICY, AccessGuard, GuardedApplication
from gaitwright.studio.server.encoding import encode_message
from gaitwright.studio.server.sessions import Studio
from gaitwright.studio.server.websocket import serve_window
from gaitwright.studio.unexpected_errors import report_unexpected

MAX_REQUEST_BYTES = 100_000
"""Maximum size of a request, bytes: it contains a file name and a template name."""
WEB_FILE_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
INLINE_FILE_TYPES = {
    ".html": "text/html",
    ".png": "image/png",
    ".gif": "image/gif",
    ".json": "application/json",
    ".csv": "text/csv",
}
"""Files of a run that a page may show; all others are downloads."""


def create_application(studio: Studio, guard: AccessGuard) -> GuardedApplication:
    """ASGI application of the studio, protected by its guard."""
    pages: dict[str, Endpoint] = {
        "/": start_page,
        "/edit": edit_page,
        "/static/{name}": static_file,
        "/api/start": start_page_data,
        "/api/thumbnail/{name}": gallery_thumbnail,
        "/space": spatial_model,
        "/run/{run}/{name:path}": run_file,
        "/view/{run}": run_report,
        "/export/{run}/{kind}": export_file,
    }
    routes = [
        *(Route(path, report_errors_as_json(endpoint)) for path, endpoint in pages.items()),
        Route("/api/create", report_errors_as_json(create_file), methods=["POST"]),
        WebSocketRoute("/socket", serve_window),
    ]

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:
        from gaitwright.studio.live_preview import warm_up

        warming = asyncio.create_task(to_thread.run_sync(warm_up, abandon_on_cancel=True))
        watching = asyncio.create_task(studio.watch())
        yield
        for task in (watching, warming):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await to_thread.run_sync(studio.end)

    app = Starlette(routes=routes, lifespan=lifespan)
    app.state.studio, app.state.thumbnails = studio, {}
    return GuardedApplication(app, guard)


Endpoint = Callable[[Request], Awaitable[Response]]


def report_errors_as_json(endpoint: Endpoint) -> Endpoint:
    """Wrap an endpoint so that every exception becomes a JSON reply with one sentence in `error`."""

    @functools.wraps(endpoint)
    async def safe(request: Request) -> Response:
        try:
            return await endpoint(request)
        except GaitwrightError as error:
            return _error_response(str(error), 400)
        except HTTPException:
            raise
        except OSError as error:
            return _error_response(f"the disk refuses it: {(error.strerror or 'it does not say why').lower()}", 400)
        except Exception:
            return _error_response(report_unexpected("this request"), 500)

    return safe


def _error_response(sentence: str, status: int) -> Response:
    return Response(encode_message({"error": sentence}), status, media_type="application/json")


def _json_response(value: Any) -> Response:
    return Response(encode_message(value), media_type="application/json")


def _web_file_response(name: str) -> Response:
    """Response with a static file of the folder web/, by its plain name."""
    folder = files("gaitwright.studio").joinpath("web")
    known = {entry.name: entry for entry in folder.iterdir() if entry.is_file()}
    suffix = name[name.rfind(".") :]
    if name not in known or suffix not in WEB_FILE_TYPES:
        return PlainTextResponse("there is no such file\n", status_code=404)
    return Response(known[name].read_bytes(), media_type=WEB_FILE_TYPES[suffix])


async def start_page(request: Request) -> Response:
    return _web_file_response("index.html")


async def edit_page(request: Request) -> Response:
    return _web_file_response("studio.html")


async def static_file(request: Request) -> Response:
    return _web_file_response(request.path_params["name"])


async def start_page_data(request: Request) -> Response:
    """Data of the start page."""
    studio: Studio = request.app.state.studio

    def listed() -> dict[str, Any]:
        workspace = studio.workspace
        return {
            "folder": str(workspace.folder),
            "files": workspace.files(),
            "gallery": workspace.gallery(),
            "first": studio.first,
        }

    return _json_response(await to_thread.run_sync(listed))


async def gallery_thumbnail(request: Request) -> Response:
    """Thumbnail of a gallery model, with poses to play; created once."""
    studio: Studio = request.app.state.studio
    name, thumbnail_cache = request.path_params["name"], request.app.state.thumbnails
    if name not in thumbnail_cache:
        thumbnail_cache[name] = await to_thread.run_sync(lambda: thumbnails.make_thumbnail(studio.workspace, name))
    return _json_response(thumbnail_cache[name])


class NewFileRequest(BaseModel):
    """Request for a new file: blank, from a ready model, or a copy."""

    model_config = STRICT_CONFIG
    path: Annotated[str, MaxLen(1000)] = Field(description="a name such as leg.yaml")
    like: Annotated[str, MaxLen(1000)] | None = Field(None, description="a ready model, or blank")


async def create_file(request: Request) -> Response:
    size = request.headers.get("content-length", "")
    short = size.isascii() and size.isdecimal() and len(size) < 10 and int(size) <= MAX_REQUEST_BYTES
    if not short or request.headers.get("content-type") != "application/json":
        raise ModelError("a new file is asked for with JSON", expected=f"at most {MAX_REQUEST_BYTES} bytes of it")
    try:
        creation = NewFileRequest.model_validate_json(await request.body())
    except ValidationError as error:
        raise _explain_validation(error) from None
    studio: Studio = request.app.state.studio

    def make() -> None:
        studio.workspace.create(creation.path, like=creation.like)
        studio.workspace.close(creation.path)  # the page that opens it is counted separately

    await to_thread.run_sync(make)
    return _json_response({"path": creation.path})


def _explain_validation(error: ValidationError) -> ModelError:
    if error.errors()[0]["type"] == "json_invalid":
        return ModelError("the request for a new file is not valid JSON", expected="{path: leg.yaml, like: jansen-leg}")
    return explain_validation_error(error, "the request for a new file", NewFileRequest)


async def spatial_model(request: Request) -> Response:
    """Spatial model of a file, as an animation page of a report."""
    studio: Studio = request.app.state.studio
    desk = studio.desks.get(request.query_params.get("file", ""))
    if desk is None:
        raise ModelError("this file is not open", expected="a file that a window of the studio shows")
    return _report_response(await desk.work(lambda: spatial_page_text(desk.sheet)))


def spatial_page_text(sheet: Any) -> str:
    from gaitwright.report.template import render_template, script_data

    picture = sheet.show(frames=60, exact=True)
    scene = picture.get("scene")
    if scene is None:
        raise ModelError("this model is not drawn in space", expected="a model with dimension: 3")
    nothing = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    title = str(sheet.state()["name"])
    return render_template(
        "animation.html", title=title, scene=script_data(scene), space=True, still=nothing, deforming=False
    )


def _report_response(text: str) -> Response:
    return HTMLResponse(text, headers={"Content-Security-Policy": REPORT_CONTENT_POLICY})


async def run_file(request: Request) -> Response:
    """File of a run: shown inline if its type cannot run code, or a report, which runs in a sandbox."""
    studio: Studio = request.app.state.studio
    run, name = request.path_params["run"], request.path_params["name"]
    path = await to_thread.run_sync(lambda: studio.runs.path(run, name))
    suffix = path.suffix.lower()
    if "download" in request.query_params or suffix not in INLINE_FILE_TYPES:
        return FileResponse(path, filename=path.name, media_type="application/octet-stream")
    headers = {"Content-Security-Policy": REPORT_CONTENT_POLICY} if suffix == ".html" else {}
    return FileResponse(path, media_type=INLINE_FILE_TYPES[suffix], headers=headers)


async def run_report(request: Request) -> Response:
    """Report of a run that did not write one."""
    studio: Studio = request.app.state.studio
    run = request.path_params["run"]
    path = await to_thread.run_sync(lambda: results.export_run(studio.runs, run, "html"))
    return FileResponse(path, media_type="text/html", headers={"Content-Security-Policy": REPORT_CONTENT_POLICY})


async def export_file(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    run, kind = request.path_params["run"], request.path_params["kind"]
    path = await to_thread.run_sync(lambda: results.export_run(studio.runs, run, kind))
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")
