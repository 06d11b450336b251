"""Folder for machine code and generated kernels: the user's cache folder or, if that is not writable or is writable by other
users, a private temporary folder.

Cached files are executed: machine code contains pickles, kernels are Python, programs are libraries. So a folder is used only
if it belongs to this user (or to the administrator) and no other user can write there; the same holds for each file in it."""

from __future__ import annotations

import functools
import getpass
import os
import stat
import sys
import tempfile
from pathlib import Path

CACHE_SUBFOLDERS = ("machine-code", "elements", "programs")
"""Subfolders of the cache folder: machine code, generated kernels of user-defined elements, programs generated for batches of
designs."""


def user_cache() -> Path:
    """Folder for machine code and for generated kernels of user-defined elements: a private temporary folder if other users
    can write into the configured one."""
    folder = configured_cache()
    return folder if _is_trusted(folder) else temporary_cache()


def configured_cache() -> Path:
    """Cache folder set by the environment, regardless of its permissions."""
    try:
        base = os.environ.get("GAITWRIGHT_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:  # the home folder of this user is unknown
        return temporary_cache()
    return Path(base) / "gaitwright"


def temporary_cache() -> Path:
    """Replacement for the cache folder. It is private to this user, because machine code placed there by others would be
    executed."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container without names of users
        user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"gaitwright-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or not is_owned_privately(status):
            return _private_folder()
    except OSError:
        return _private_folder()
    return folder


@functools.cache
def _private_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="gaitwright-"))


def is_owned_privately(status: os.stat_result) -> bool:
    """True if a file or folder belongs to this user or to the administrator and no other user can write to it. The group with
    the user's own name, which many systems create, counts as the user. True on systems without POSIX ownership."""
    if not hasattr(os, "getuid"):
        return True
    if status.st_uid not in (os.getuid(), 0) or status.st_mode & stat.S_IWOTH:
        return False
    return not status.st_mode & stat.S_IWGRP or status.st_gid == 0 or _is_user_group(status.st_gid)


@functools.cache
def _is_user_group(number: int) -> bool:
    import grp
    import pwd

    try:
        group, user = grp.getgrgid(number), pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return False
    return group.gr_name == user and set(group.gr_mem) <= {user}


@functools.cache
def _is_trusted(folder: Path) -> bool:
    """True if no other user can write into a folder and its subfolders, or if it does not exist. Warns once on stderr."""
    try:
        folders = [folder, *(path for path in folder.iterdir() if path.is_dir())]
        open_to_others = [path for path in folders if not is_owned_privately(path.stat())]
    except OSError:
        return True  # missing or unreadable: nothing is loaded from it
    if open_to_others:
        print(
            f"the cache folder {open_to_others[0]} belongs to another user, or others can write there: what is compiled goes "
            f"into {temporary_cache()}; chmod -R go-w {folder}, or GAITWRIGHT_CACHE=FOLDER names another folder",
            file=sys.stderr,
            flush=True,
        )
    return not open_to_others


def read_trusted(path: Path) -> bytes | None:
    """Bytes of a cache file that only this user can have written, else None."""
    try:
        with path.open("rb") as file:
            return file.read() if is_owned_privately(os.fstat(file.fileno())) else None
    except OSError:
        return None


def writable_cache() -> Path:
    """Cache folder if it is writable, else the temporary cache. Warns once on stderr."""
    return _writable_folder(user_cache())


@functools.cache
def _writable_folder(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        for name in CACHE_SUBFOLDERS:  # no other user can write there, whatever the umask
            (folder / name).mkdir(mode=0o755, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        return folder
    except OSError as error:
        instead = temporary_cache()
        print(
            f"the cache folder {folder} cannot be written ({error.strerror or error}): what is compiled goes into {instead}; "
            "GAITWRIGHT_CACHE names another folder",
            file=sys.stderr,
            flush=True,
        )
        return instead
