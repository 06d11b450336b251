"""Studio: draw, drag, run and compare models in a browser. The modules of this folder are plain functions on plain data,
without web code; `server/` and `web/` connect them to a browser."""
