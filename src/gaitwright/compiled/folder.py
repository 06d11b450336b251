"""Where machine code and printed kernels are kept: in the user's cache folder or, where that cannot be written or is open to
others, in a private folder for temporary files.

What is kept is run: machine code contains pickles, kernels are Python, programs are libraries. So a folder is used only if it
belongs to this user (or to the administrator) and nobody else can write there, and the same holds for each file of it."""

from __future__ import annotations

import functools
import getpass
import os
import stat
import sys
import tempfile
from pathlib import Path

FOLDERS = ("machine-code", "elements", "programs")
"""Below the cache folder: machine code, printed kernels of a user's own elements, programs printed for very many designs."""


def user_cache() -> Path:
    """Folder for machine code and for the printed kernels of a user's own elements: a private one if others can write into
    the folder that is meant."""
    wanted = meant_cache()
    return wanted if _trusted(wanted) else temporary_cache()


def meant_cache() -> Path:
    """The folder that the environment names, whatever its permissions are."""
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
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or not only_ours(found):
            return _private()
    except OSError:
        return _private()
    return folder


@functools.cache
def _private() -> Path:
    return Path(tempfile.mkdtemp(prefix="gaitwright-"))


def only_ours(found: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user or to the administrator, and nobody else can write to it. The group of the
    same name as the user, which many systems give each one, is the user. True on systems without owners of this kind."""
    if not hasattr(os, "getuid"):
        return True
    if found.st_uid not in (os.getuid(), 0) or found.st_mode & stat.S_IWOTH:
        return False
    return not found.st_mode & stat.S_IWGRP or found.st_gid == 0 or _own_group(found.st_gid)


@functools.cache
def _own_group(number: int) -> bool:
    import grp
    import pwd

    try:
        group, user = grp.getgrgid(number), pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return False
    return group.gr_name == user and set(group.gr_mem) <= {user}


@functools.cache
def _trusted(folder: Path) -> bool:
    """Whether nobody else can write into a folder and those in it, or it is not there yet; says so, once."""
    try:
        folders = [folder, *(path for path in folder.iterdir() if path.is_dir())]
        open_to_others = [path for path in folders if not only_ours(path.stat())]
    except OSError:
        return True  # not there, or not to be read: nothing is loaded from it
    if open_to_others:
        print(
            f"the cache folder {open_to_others[0]} belongs to another user, or others can write there: what is compiled goes "
            f"into {temporary_cache()}; chmod -R go-w {folder}, or GAITWRIGHT_CACHE=FOLDER names another folder",
            file=sys.stderr,
            flush=True,
        )
    return not open_to_others


def read_trusted(path: Path) -> bytes | None:
    """The bytes of a file of the cache that only this user can have written; None of any other one."""
    try:
        with path.open("rb") as file:
            return file.read() if only_ours(os.fstat(file.fileno())) else None
    except OSError:
        return None


def writable_cache() -> Path:
    """The cache folder if something can be put there, otherwise the one that stands in for it; says so, once."""
    return _writable(user_cache())


@functools.cache
def _writable(wanted: Path) -> Path:
    try:
        wanted.mkdir(mode=0o755, parents=True, exist_ok=True)
        for name in FOLDERS:  # whatever the umask is, others cannot write there
            (wanted / name).mkdir(mode=0o755, exist_ok=True)
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
