"""Model editor: saving, recovery after a crash, external changes, preview and pulls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gaitwright._core.errors import ModelError
from gaitwright.studio import journal
from gaitwright.studio.document import StaleVersionError
from gaitwright.studio.model_editor import FileChangedError, ModelEditor

FOLDER = Path(__file__).parents[2] / "examples"
JANSEN = (FOLDER / "jansen.yaml").read_text()
MOVE = {"do": "move-point", "name": "B", "to": [-0.14, 0.21]}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "leg.yaml"
    path.write_text(JANSEN)
    return path


def journals(path):
    return sorted(path.parent.glob(f".*{journal.JOURNAL_SUFFIX}"))


def test_edits_are_in_the_journal_until_saved(path):
    sheet = ModelEditor(path)
    assert not journals(path)
    assert not sheet.edit(MOVE)["saved"]
    (journal_path,) = journals(path)
    assert journal.replay_journal(journal_path) == sheet.document.text
    assert path.read_text() == JANSEN
    assert sheet.save() == {"saved": True, "version": 1}
    assert path.read_text() == sheet.document.text != JANSEN
    assert not journals(path)
    sheet.undo()
    assert journal.replay_journal(journals(path)[0]) == JANSEN
    sheet.redo()
    assert not journals(path)


CRASH = """
import os, sys
from pathlib import Path
from gaitwright.studio.model_editor import ModelEditor
sheet = ModelEditor(Path(sys.argv[1]))
for k in range(5):
    sheet.edit({"do": "move-point", "name": "B", "to": [-0.14 + 1e-3 * k, 0.21], "drag": "hand"})
sheet.type(sheet.document.text + "# typed, with a bracket that is open: [\\n")
print(sheet.document.text, end="", flush=True)
os._exit(9)
"""


@pytest.mark.slow
def test_edits_survive_a_crash_of_the_process(path):
    died = subprocess.run([sys.executable, "-c", CRASH, str(path)], capture_output=True, text=True, timeout=120)
    assert died.returncode == 9, died.stderr
    assert path.read_text() == JANSEN
    sheet = ModelEditor(path)
    assert sheet.document.text == died.stdout != JANSEN
    state = sheet.state()
    assert (state["recovered"], state["saved"]) == (True, False)
    assert len(journals(path)) == 1  # ours: it survives another crash
    assert sheet.undo()["saved"]
    assert sheet.document.text == JANSEN


def test_a_truncated_journal_line_is_ignored(path):
    left = path.with_name(f".leg.yaml.999999999{journal.JOURNAL_SUFFIX}")
    left.write_text(json.dumps({"text": "abc"}) + "\n" + json.dumps([1, 1, "X"]) + "\n" + '[0, 1, "Y')
    assert journal.recover_unsaved_text(path) == "aXc"
    sheet = ModelEditor(path)
    assert (sheet.document.text, sheet.recovered) == ("aXc", True)
    assert not left.exists()


def test_a_large_journal_is_restarted(path, monkeypatch):
    monkeypatch.setattr(journal, "MAX_JOURNAL_BYTES", 3 * len(JANSEN))
    sheet = ModelEditor(path)
    for k in range(12):
        sheet.edit({"do": "move-point", "name": "B", "to": [-0.14 + 1e-4 * k, 0.21]})
        (journal_path,) = journals(path)
        assert journal_path.stat().st_size < 6 * len(JANSEN)
        assert journal.replay_journal(journal_path) == sheet.document.text


@pytest.mark.skipif(os.name != "posix", reason="whether a process runs is not asked there")
def test_an_editor_in_another_process_is_reported(path):
    other = path.with_name(f".leg.yaml.{os.getppid()}{journal.JOURNAL_SUFFIX}")
    other.write_text(json.dumps({"text": "theirs"}) + "\n")
    sheet = ModelEditor(path)
    assert sheet.document.text == JANSEN
    assert sheet.state()["elsewhere"]
    assert other.exists()


def changed_outside(path, text):
    path.write_text(text)
    stamp = path.stat()
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 10**9))


def test_an_external_change_is_loaded(path):
    sheet = ModelEditor(path)
    assert sheet.look() is None
    other = JANSEN.replace("0.333", "0.334")
    changed_outside(path, other)
    reply = sheet.look()
    assert (reply["changed"], reply["version"], reply["saved"]) == ("outside", 1, True)
    assert sheet.document.text == other
    assert sheet.look() is None
    sheet.undo()
    assert sheet.document.text == JANSEN


def test_two_programs_do_not_overwrite_each_other(path):
    sheet = ModelEditor(path)
    sheet.edit(MOVE)
    mine, other = sheet.document.text, JANSEN.replace("0.333", "0.334")
    changed_outside(path, other)
    assert sheet.look()["changed"] == "conflict"
    with pytest.raises(FileChangedError, match="changed by another program"):
        sheet.save()
    assert path.read_text() == other
    sheet.take_over()
    assert (sheet.document.text, sheet.saved) == (other, True)
    sheet.undo()
    assert sheet.document.text == mine
    sheet.save()
    assert path.read_text() == mine
    changed_outside(path, other)
    sheet.edit(MOVE | {"to": [-0.15, 0.2]})
    sheet.save(force=True)
    assert path.read_text() == sheet.document.text


def test_a_touched_file_is_no_change(path):
    sheet = ModelEditor(path)
    changed_outside(path, JANSEN)
    sheet.edit(MOVE)
    sheet.save()
    assert path.read_text() == sheet.document.text


def test_a_deleted_file_is_saved_again(path):
    sheet = ModelEditor(path)
    sheet.edit(MOVE)
    path.unlink()
    assert sheet.look() is None
    sheet.save()
    assert path.read_text() == sheet.document.text


def test_an_unwritable_journal_gives_a_note(path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal.RecoveryJournal, "_begin", full)
    sheet = ModelEditor(path)
    reply = sheet.edit(MOVE)
    assert "no space left" in reply["notes"][0]
    assert sheet.document.version == 1


def test_two_windows_share_one_version(path):
    sheet = ModelEditor(path)
    version = sheet.state()["version"]
    sheet.edit(MOVE, version)
    with pytest.raises(StaleVersionError, match="another window"):
        sheet.edit(MOVE, version)


def test_the_preview_shows_the_text_or_the_last_valid_model(path):
    sheet = ModelEditor(path)
    first = sheet.show()
    assert (first["version"], first["of_valid"], first["faults"]) == (0, True, [])
    sheet.type(JANSEN.replace("mass: 0.069", "mass: -1"))
    view = sheet.show()  # nothing was added, so the last model is shown
    assert (view["of_valid"], view["numbers"]) == (False, first["numbers"])
    assert view["faults"][0]["element"]["name"] == "L3"
    sheet.edit({"do": "add-point", "at": [0.1, 0.1], "name": "new"})
    assert sheet.show()["places"]["new"] == [[0.1, 0.1]]
    sheet.type("[")
    assert sheet.show()["numbers"] == first["numbers"]
    json.dumps(sheet.state())


def test_a_loop_opens_at_the_changed_part(path):
    sheet = ModelEditor(path)
    sheet.edit({"do": "set", "path": ["links", 1, "length"], "value": 0.9})
    (gap,) = sheet.show()["gaps"]
    assert "L2" in gap["bodies"]


def test_a_point_is_moved_from_its_displayed_position(path):
    """The drawing of the example is rough. A move by zero keeps the lengths."""
    sheet = ModelEditor(path)
    at = sheet.show()["places"]["B"][0]
    sheet.edit({"do": "move-point", "name": "B", "to": at})
    lengths = [entry["length"] for entry in sheet.document.tree.data["links"]]
    assert lengths[1:4] == pytest.approx([0.333, 0.277, 0.372], abs=2e-6)
    at = sheet.show(time=0.3)["places"]["F"][0]
    sheet.edit({"do": "move-point", "name": "F", "to": [at[0], at[1] - 0.01], "time": 0.3})
    assert sheet.show(time=0.3)["places"]["F"][0] == pytest.approx([at[0], at[1] - 0.01], abs=1e-5)


def test_a_pull_changes_the_text_only_at_its_end(tmp_path):
    path = tmp_path / "four.yaml"
    path.write_text((FOLDER / "four_bar.yaml").read_text())
    sheet = ModelEditor(path)
    for x in (0.24, 0.23, 0.22):
        reply = sheet.pull("B", [x, 0.26])
    assert reply["pulled"]["at"] == reply["places"]["B"][0]
    assert sheet.document.version == 0
    assert sheet.let_go()["version"] == 1
    assert sheet.show()["places"]["B"][0] == pytest.approx(reply["pulled"]["at"], abs=1e-5)
    assert sheet.document.tree.data["parameters"] == {"crank": 0.1, "coupler": 0.3, "rocker": 0.25, "density": 0.25}
    sheet.undo()
    assert not sheet.state()["can_undo"]
    assert sheet.let_go() is None


def test_a_pull_of_a_driven_mechanism_changes_its_time(path):
    sheet = ModelEditor(path)
    at = sheet.show(time=0.2)["places"]["A"][0]
    time = sheet.pull("A", at)["pulled"]["time"]
    assert time == pytest.approx(0.2, abs=1e-4)
    assert sheet.let_go() is None
    assert sheet.document.text == JANSEN


def test_an_invalid_model_cannot_be_pulled(path):
    sheet = ModelEditor(path)
    sheet.type(JANSEN.replace("mass: 0.069", "mass: -1"))
    with pytest.raises(ModelError, match="no mechanism to pull"):
        sheet.pull("A", [0, 0])


KILLED = """
import os, signal, sys
from pathlib import Path
from gaitwright.studio import history_file
from gaitwright.studio.model_editor import ModelEditor
history_file.user_cache = lambda: Path(sys.argv[2])
sheet = ModelEditor(Path(sys.argv[1]))
for k in range(3):
    sheet.edit({"do": "set-parameter", "name": "turns_per_second", "value": 2 + k})
    sheet.save()
for k in range(4):
    sheet.edit({"do": "move-point", "name": "B", "to": [-0.14 + 1e-3 * k, 0.21], "drag": "hand"})
sheet.undo()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_undo_and_redo_survive_a_killed_studio(path, cache_of_histories):
    """Three saved changes, a drag and its undo: the next process can undo the three and redo the drag."""
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), str(cache_of_histories)], capture_output=True)
    assert done.returncode < 0, done.stderr
    sheet = ModelEditor(path)
    assert sheet.document.tree.data["parameters"]["turns_per_second"] == 4
    sheet.redo()
    assert sheet.document.tree.data["points"]["B"] == [-0.137, 0.21]
    for expected in (4, 3, 2):
        sheet.undo()
        assert sheet.document.tree.data["parameters"]["turns_per_second"] == expected
    sheet.undo()
    assert sheet.document.text == JANSEN and not sheet.state()["can_undo"]
    sheet.save()
    sheet.close()
    assert ModelEditor(path).state()["can_redo"], "also a sheet that was closed and opened again"


def test_a_history_is_not_applied_to_another_text(path):
    sheet = ModelEditor(path)
    sheet.edit(MOVE)
    sheet.save()
    sheet.close()
    path.write_text(JANSEN.replace("name: ", "name: another-"))
    assert not ModelEditor(path).state()["can_undo"]


def test_a_truncated_history_is_read_up_to_the_cut(path):
    sheet = ModelEditor(path)
    for x in (-0.14, -0.15):
        sheet.edit({**MOVE, "to": [x, 0.21]})
        sheet.save()
    kept = sheet.history_file.path
    sheet.close()
    kept.write_bytes(kept.read_bytes()[:-9])
    sheet = ModelEditor(path)
    assert not sheet.state()["can_undo"], "the last text is not in it"


def test_a_long_history_keeps_its_newest_steps(path, monkeypatch):
    monkeypatch.setattr("gaitwright.studio.history_file.MAX_HISTORY_BYTES", 20_000)
    sheet = ModelEditor(path)
    for k in range(30):
        sheet.edit({**MOVE, "to": [-0.14 + 1e-3 * k, 0.21]})
    sheet.save()
    assert sheet.history_file.path.stat().st_size < 20_000 + 3 * len(JANSEN)
    sheet.close()
    again = ModelEditor(path)
    assert 4 < len(again.document.history.past) < 30
    again.undo()
    assert again.document.tree.data["points"]["B"][0] == pytest.approx(-0.112)
