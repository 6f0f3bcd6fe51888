"""What is read once for all of a process, and read again when it was written anew."""

from pathlib import Path

from tools.platform.process_resources import cached_reader, write_atomically


def test_a_file_is_read_once_until_it_is_written_anew(tmp_path: Path) -> None:
    file, reads = tmp_path / "kept", []

    @cached_reader
    def text_of(file: Path) -> str:
        reads.append(file)
        return file.read_text()

    assert text_of(file) is None
    write_atomically(file, b"one")
    assert (text_of(file), text_of(file), len(reads)) == ("one", "one", 1)
    write_atomically(file, b"two")
    assert (text_of(file), len(reads)) == ("two", 2)
    file.unlink()
    assert text_of(file) is None
