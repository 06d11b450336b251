"""The studio: models drawn, pulled at, run and compared in a browser. The modules of this folder are the engine room: plain
functions on plain data, without any web; `server/` and `web/` bring them into a browser."""
