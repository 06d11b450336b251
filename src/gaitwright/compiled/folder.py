"""Where machine code and printed kernels are kept: in the user's cache folder or, where that cannot be written, in the
folder for temporary files."""

from __future__ import annotations

import functools
import getpass
import os
import stat
import sys
import tempfile
from pathlib import Path


def user_cache() -> Path:
    """Folder for machine code and for the printed kernels of a user's own elements."""
    try:
        base = os.environ.get("GAITWRIGHT_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:  # nobody knows where the home of this user is
        return temporary_cache()
    return Path(base) / "gaitwright"


def temporary_cache() -> Path:
    """What stands in for the cache folder: a folder of this user alone, since machine code that others could put there
    would be run."""
    try:
        who = getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container without names of users
        who = str(os.getuid()) if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"gaitwright-{who}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if hasattr(os, "getuid"):
            found = folder.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
                return _private()
    except OSError:
        return _private()
    return folder


@functools.cache
def _private() -> Path:
    return Path(tempfile.mkdtemp(prefix="gaitwright-"))


def writable_cache() -> Path:
    """The cache folder if something can be put there, otherwise the one that stands in for it; says so, once."""
    return _writable(user_cache())


@functools.cache
def _writable(wanted: Path) -> Path:
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=wanted).close()
        return wanted
    except OSError as error:
        instead = temporary_cache()
        print(
            f"the cache folder {wanted} cannot be written ({error.strerror or error}): what is compiled goes into {instead}; "
            "GAITWRIGHT_CACHE names another folder",
            file=sys.stderr,
            flush=True,
        )
        return instead
