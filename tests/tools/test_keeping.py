"""What is read once for all of a process, and read again when it was written anew."""

from pathlib import Path

from tools.keeping import keep, read_once


def test_a_file_is_read_once_until_it_is_written_anew(tmp_path: Path) -> None:
    file, reads = tmp_path / "kept", []

    @read_once
    def text_of(file: Path) -> str:
        reads.append(file)
        return file.read_text()

    assert text_of(file) is None
    keep(file, b"one")
    assert (text_of(file), text_of(file), len(reads)) == ("one", "one", 1)
    keep(file, b"two")
    assert (text_of(file), len(reads)) == ("two", 2)
    file.unlink()
    assert text_of(file) is None
