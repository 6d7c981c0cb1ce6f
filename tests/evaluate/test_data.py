import gzip
from pathlib import Path

import pytest

from workbench.evaluate.data import data_root, find_files, need_files, officeholders_path, read_rows
from workbench.model.errors import UsageError


def test_without_data_the_message_says_how_to_give_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    with pytest.raises(UsageError, match="--data DIR or set WORKBENCH_DATA"):
        data_root(None)
    with pytest.raises(UsageError, match="not a folder"):
        data_root(tmp_path / "none")
    with pytest.raises(UsageError, match=r"no file rows.*put it into"):
        need_files(tmp_path, "congress", "rows*.json*")


def test_files_are_found_below_the_root_under_an_alias_or_in_the_folder_itself(
        monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "other-name"
    folder.mkdir()
    (folder / "rows.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    assert need_files(tmp_path, "name", "rows*", ("other-name",)) == [folder / "rows.jsonl"]
    assert need_files(folder, "other-name", "rows*") == [folder / "rows.jsonl"]
    assert need_files(folder, "name", "rows*") == [folder / "rows.jsonl"]
    assert find_files(tmp_path, "name", "nothing*") == []
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path))
    assert find_files(None, "other-name", "rows*") == [folder / "rows.jsonl"]


def test_lines_and_arrays_plain_and_gzipped_read_alike(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"x": 1}, {"x": 2}]', encoding="utf-8")
    with gzip.open(tmp_path / "b.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.write('{"x": 1}\n\n{"x": 2}\n')
    assert list(read_rows(tmp_path / "a.json")) == list(read_rows(tmp_path / "b.jsonl.gz")) == [{"x": 1}, {"x": 2}]
    (tmp_path / "c.jsonl").write_text('{"x": 1}\n{"x"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="line 2"):
        list(read_rows(tmp_path / "c.jsonl"))


def test_our_own_data_is_found() -> None:
    assert (officeholders_path() / "questions.jsonl").is_file()
