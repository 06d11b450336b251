"""Studios under test store histories in a temporary folder: the user's folder would hold files of earlier runs."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="session")
def cache_of_histories(tmp_path_factory):
    folder = tmp_path_factory.mktemp("histories")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gaitwright.studio.history_file.user_cache", lambda: folder)
        yield folder
