"""One open file: saved whole, recovered after a crash, changed by others, seen and pulled at."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gaitwright.errors import ModelError
from gaitwright.studio import journal
from gaitwright.studio.document import Stale
from gaitwright.studio.sheet import ChangedOutside, Sheet

FOLDER = Path(__file__).parents[2] / "examples"
JANSEN = (FOLDER / "jansen.yaml").read_text()
MOVE = {"do": "move-point", "name": "B", "to": [-0.14, 0.21]}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "leg.yaml"
    path.write_text(JANSEN)
    return path


def journals(path):
    return sorted(path.parent.glob(f".*{journal.SUFFIX}"))


def test_what_is_edited_is_in_the_journal_until_it_is_saved(path):
    sheet = Sheet(path)
    assert not journals(path)
    assert not sheet.edit(MOVE)["saved"]
    (kept,) = journals(path)
    assert journal.replayed(kept) == sheet.document.text
    assert path.read_text() == JANSEN
    assert sheet.save() == {"saved": True, "version": 1}
    assert path.read_text() == sheet.document.text != JANSEN
    assert not journals(path)
    sheet.undo()
    assert journal.replayed(journals(path)[0]) == JANSEN
    sheet.redo()
    assert not journals(path)


CRASH = """
import os, sys
from pathlib import Path
from gaitwright.studio.sheet import Sheet
sheet = Sheet(Path(sys.argv[1]))
for k in range(5):
    sheet.edit({"do": "move-point", "name": "B", "to": [-0.14 + 1e-3 * k, 0.21], "drag": "hand"})
sheet.type(sheet.document.text + "# typed, with a bracket that is open: [\\n")
print(sheet.document.text, end="", flush=True)
os._exit(9)
"""


@pytest.mark.slow
def test_nothing_drawn_is_lost_when_the_process_dies(path):
    died = subprocess.run([sys.executable, "-c", CRASH, str(path)], capture_output=True, text=True, timeout=120)
    assert died.returncode == 9, died.stderr
    assert path.read_text() == JANSEN
    sheet = Sheet(path)
    assert sheet.document.text == died.stdout != JANSEN
    state = sheet.state()
    assert (state["recovered"], state["saved"]) == (True, False)
    assert len(journals(path)) == 1  # ours: it survives another crash
    assert sheet.undo()["saved"]
    assert sheet.document.text == JANSEN


def test_a_line_that_the_crash_cut_off_is_left_out(path):
    left = path.with_name(f".leg.yaml.999999999{journal.SUFFIX}")
    left.write_text(json.dumps({"text": "abc"}) + "\n" + json.dumps([1, 1, "X"]) + "\n" + '[0, 1, "Y')
    assert journal.left_behind(path) == "aXc"
    sheet = Sheet(path)
    assert (sheet.document.text, sheet.recovered) == ("aXc", True)
    assert not left.exists()


def test_a_journal_is_begun_anew_when_it_is_large(path, monkeypatch):
    monkeypatch.setattr(journal, "LARGEST", 3 * len(JANSEN))
    sheet = Sheet(path)
    for k in range(12):
        sheet.edit({"do": "move-point", "name": "B", "to": [-0.14 + 1e-4 * k, 0.21]})
        (kept,) = journals(path)
        assert kept.stat().st_size < 6 * len(JANSEN)
        assert journal.replayed(kept) == sheet.document.text


@pytest.mark.skipif(os.name != "posix", reason="whether a process runs is not asked there")
def test_another_process_that_has_it_open_is_told_of(path):
    other = path.with_name(f".leg.yaml.{os.getppid()}{journal.SUFFIX}")
    other.write_text(json.dumps({"text": "theirs"}) + "\n")
    sheet = Sheet(path)
    assert sheet.document.text == JANSEN
    assert sheet.state()["elsewhere"]
    assert other.exists()


def changed_outside(path, text):
    path.write_text(text)
    stamp = path.stat()
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 10**9))


def test_a_change_by_another_program_is_taken_over(path):
    sheet = Sheet(path)
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
    sheet = Sheet(path)
    sheet.edit(MOVE)
    mine, other = sheet.document.text, JANSEN.replace("0.333", "0.334")
    changed_outside(path, other)
    assert sheet.look()["changed"] == "conflict"
    with pytest.raises(ChangedOutside, match="changed by another program"):
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


def test_a_file_that_was_only_touched_is_no_change(path):
    sheet = Sheet(path)
    changed_outside(path, JANSEN)
    sheet.edit(MOVE)
    sheet.save()
    assert path.read_text() == sheet.document.text


def test_a_file_that_was_deleted_is_saved_again(path):
    sheet = Sheet(path)
    sheet.edit(MOVE)
    path.unlink()
    assert sheet.look() is None
    sheet.save()
    assert path.read_text() == sheet.document.text


def test_where_no_journal_can_be_written_it_is_said_and_drawing_goes_on(path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal.Journal, "_begin", full)
    sheet = Sheet(path)
    reply = sheet.edit(MOVE)
    assert "no space left" in reply["notes"][0]
    assert sheet.document.version == 1


def test_two_windows_of_one_sheet_see_each_other(path):
    sheet = Sheet(path)
    version = sheet.state()["version"]
    sheet.edit(MOVE, version)
    with pytest.raises(Stale, match="another window"):
        sheet.edit(MOVE, version)


def test_the_picture_is_of_the_text_or_of_the_last_model(path):
    sheet = Sheet(path)
    first = sheet.show()
    assert (first["version"], first["of_valid"], first["faults"]) == (0, True, [])
    sheet.type(JANSEN.replace("mass: 0.069", "mass: -1"))
    found = sheet.show()  # nothing was added, so the last model is what it draws
    assert (found["of_valid"], found["numbers"]) == (False, first["numbers"])
    assert found["faults"][0]["element"]["name"] == "L3"
    sheet.edit({"do": "add-point", "at": [0.1, 0.1], "name": "new"})
    assert sheet.show()["places"]["new"] == [[0.1, 0.1]]
    sheet.type("[")
    assert sheet.show()["numbers"] == first["numbers"]
    json.dumps(sheet.state())


def test_a_wrong_length_is_opened_where_it_was_changed(path):
    sheet = Sheet(path)
    sheet.edit({"do": "set", "path": ["links", 1, "length"], "value": 0.9})
    (gap,) = sheet.show()["gaps"]
    assert "L2" in gap["bodies"]


def test_a_point_is_moved_from_where_it_is_seen(path):
    """The drawing of the example is rough. What is moved by nothing keeps its lengths."""
    sheet = Sheet(path)
    at = sheet.show()["places"]["B"][0]
    sheet.edit({"do": "move-point", "name": "B", "to": at})
    lengths = [entry["length"] for entry in sheet.document.tree.data["links"]]
    assert lengths[1:4] == pytest.approx([0.333, 0.277, 0.372], abs=2e-6)
    at = sheet.show(time=0.3)["places"]["F"][0]
    sheet.edit({"do": "move-point", "name": "F", "to": [at[0], at[1] - 0.01], "time": 0.3})
    assert sheet.show(time=0.3)["places"]["F"][0] == pytest.approx([at[0], at[1] - 0.01], abs=1e-5)


def test_pulling_keeps_the_text_until_it_is_let_go(tmp_path):
    path = tmp_path / "four.yaml"
    path.write_text((FOLDER / "four_bar.yaml").read_text())
    sheet = Sheet(path)
    for x in (0.24, 0.23, 0.22):
        found = sheet.pull("B", [x, 0.26])
    assert found["pulled"]["at"] == found["places"]["B"][0]
    assert sheet.document.version == 0
    assert sheet.let_go()["version"] == 1
    assert sheet.show()["places"]["B"][0] == pytest.approx(found["pulled"]["at"], abs=1e-5)
    assert sheet.document.tree.data["parameters"] == {"crank": 0.1, "coupler": 0.3, "rocker": 0.25, "density": 0.25}
    sheet.undo()
    assert not sheet.state()["can_undo"]
    assert sheet.let_go() is None


def test_a_driven_mechanism_that_was_pulled_is_at_another_time(path):
    sheet = Sheet(path)
    at = sheet.show(time=0.2)["places"]["A"][0]
    time = sheet.pull("A", at)["pulled"]["time"]
    assert time == pytest.approx(0.2, abs=1e-4)
    assert sheet.let_go() is None
    assert sheet.document.text == JANSEN


def test_there_is_nothing_to_pull_at_in_what_is_no_model(path):
    sheet = Sheet(path)
    sheet.type(JANSEN.replace("mass: 0.069", "mass: -1"))
    with pytest.raises(ModelError, match="no mechanism to pull"):
        sheet.pull("A", [0, 0])


KILLED = """
import os, signal, sys
from pathlib import Path
from gaitwright.studio import history_file
from gaitwright.studio.sheet import Sheet
history_file.user_cache = lambda: Path(sys.argv[2])
sheet = Sheet(Path(sys.argv[1]))
for k in range(3):
    sheet.edit({"do": "set-parameter", "name": "turns_per_second", "value": 2 + k})
    sheet.save()
for k in range(4):
    sheet.edit({"do": "move-point", "name": "B", "to": [-0.14 + 1e-3 * k, 0.21], "drag": "hand"})
sheet.undo()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_undo_and_redo_go_on_after_the_studio_was_killed(path, cache_of_histories):
    """Three saved changes, a drag and its undo: the next process takes back the three, and does the drag again."""
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), str(cache_of_histories)], capture_output=True)
    assert done.returncode < 0, done.stderr
    sheet = Sheet(path)
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
    assert Sheet(path).state()["can_redo"], "also a sheet that was closed and opened again"


def test_a_history_is_not_that_of_another_file_of_the_same_name(path):
    sheet = Sheet(path)
    sheet.edit(MOVE)
    sheet.save()
    sheet.close()
    path.write_text(JANSEN.replace("name: ", "name: another-"))
    assert not Sheet(path).state()["can_undo"]


def test_a_history_that_was_cut_off_is_read_up_to_there(path):
    sheet = Sheet(path)
    for x in (-0.14, -0.15):
        sheet.edit({**MOVE, "to": [x, 0.21]})
        sheet.save()
    kept = sheet.history_file.path
    sheet.close()
    kept.write_bytes(kept.read_bytes()[:-9])
    sheet = Sheet(path)
    assert not sheet.state()["can_undo"], "the last text is not in it"


def test_a_long_history_keeps_its_newest_steps(path, monkeypatch):
    monkeypatch.setattr("gaitwright.studio.history_file.MAX_HISTORY_BYTES", 20_000)
    sheet = Sheet(path)
    for k in range(30):
        sheet.edit({**MOVE, "to": [-0.14 + 1e-3 * k, 0.21]})
    sheet.save()
    assert sheet.history_file.path.stat().st_size < 20_000 + 3 * len(JANSEN)
    sheet.close()
    again = Sheet(path)
    assert 4 < len(again.document.history.past) < 30
    again.undo()
    assert again.document.tree.data["points"]["B"][0] == pytest.approx(-0.112)
