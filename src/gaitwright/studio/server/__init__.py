"""Studio server: pages, files and a WebSocket for one person at this machine. Starlette and uvicorn.

NiceGUI was considered: its elements live on the server and every mouse event passes its own protocol, while the drawing is page
script in either case. The server only needs a table of messages, and the checks of token, host and origin are in one file
(auth.py), for pages and socket."""
