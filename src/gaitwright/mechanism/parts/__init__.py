"""Parts: everything that has coordinates. base.py defines the interface of a part; every other file defines one kind of
part."""
