"""The server of the studio: pages, files and a socket for one person at this machine. Starlette and uvicorn.

NiceGUI was weighed: its elements live on the server and every event of the mouse goes through its own protocol, while the
drawing is script of the page in either case. What is left for a server is a table of messages, and here the checks of token,
host and origin stand in one file (guard.py), for pages and socket alike."""
