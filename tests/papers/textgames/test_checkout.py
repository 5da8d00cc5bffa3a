"""Importing a plain checkout of the published repository: what is found, skipped and refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from quandary.cli.main import main
from quandary.core.errors import UserError
from quandary.papers.regrading import graded
from quandary.papers.textgames.imported import bring
from textgames_files import lines, pack, reply, write_checkout

POINTER = (
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:3ae6fd9f757f6dee039cb555753b7014ba6f38a57e224f49f99641944d2504da\n"
    "size 17391176\n"
)
CALLS = '{"id": "batch_req_1", "custom_id": "Islands_1.json-0", "response": {"body": {}}}\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return write_checkout(tmp_path / "checkout")


def _imported(folder: Path) -> list[str]:
    return ["import", "textgames", str(folder), "--out", str(folder.with_name("out"))]


def test_a_checkout_is_imported_as_it_is(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Problems, replies and word lists are found where the repository has them."""
    assert 0 == main(_imported(checkout))
    said = capsys.readouterr()
    found, _ = graded(checkout.with_name("out"), "published")

    assert "5 problems and 1 reply" in said.out
    assert "" == said.err
    assert ([], 1) == (found.changes, found.answers)
    assert [("llama.1s", "anagram_scribble", "easy", 1, [1.0])] == found.rates()


def test_what_is_skipped_is_said(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files that Git LFS did not download, logs of calls, empty files, and files elsewhere."""
    outputs = checkout / "model_outputs"
    (outputs / "results_deepseek.1s.jsonl").write_text(POINTER)
    (outputs / "results_llama.1s.jsonl").write_text(POINTER)  # the archive beside it is read
    (outputs / "results_qwen.zs.jsonl.tgz").write_text(POINTER)
    (outputs / "results_batch_api.jsonl").write_text(CALLS)
    (outputs / "results_empty.jsonl").write_text("\n")
    (outputs / "gemma.jsonl").write_text(lines(reply()))
    (checkout / "older").mkdir()
    (checkout / "older" / "results_gpt.jsonl").write_text(lines(reply()))

    assert 0 == main(_imported(checkout))
    said = capsys.readouterr()
    skipped = dict(
        line.removeprefix("quandary: ").split(" was not read: ") for line in said.err.splitlines()
    )
    assert "5 problems and 1 reply" in said.out
    reasons = {
        "model_outputs/gemma.jsonl": "replies are in files named results_*.jsonl",
        "model_outputs/results_batch_api.jsonl": "it has no replies in the published form",
        "model_outputs/results_deepseek.1s.jsonl": "Git LFS has not downloaded it",
        "model_outputs/results_empty.jsonl": "it has no replies in the published form",
        "model_outputs/results_llama.1s.jsonl": "Git LFS has not downloaded it",
        "model_outputs/results_qwen.zs.jsonl.tgz": "Git LFS has not downloaded it",
        "older/results_gpt.jsonl": "replies are in files named results_*.jsonl",
    }
    assert reasons.keys() == skipped.keys()
    assert all(skipped[path].startswith(reason) for path, reason in reasons.items())


@pytest.mark.parametrize(
    ("leave", "said"),
    [
        (lambda path: path.write_text(POINTER), "was not read: Git LFS has not downloaded it"),
        (lambda path: pack(path, CALLS), "has no replies in the published form"),
        (lambda path: pack(path, ""), "has no replies in the published form"),
        (lambda path: path.rename(path.with_name("llama.jsonl.tgz")), "was not read: replies are"),
        (
            lambda path: path.parent.rename(path.parent.with_name("outputs")),
            r"outputs/results_llama\.1s\.jsonl\.tgz was not read: replies are in files named",
        ),
    ],
    ids=["pointer", "calls", "empty", "other name", "other folder"],
)
def test_an_import_without_the_replies_that_are_there_fails(
    checkout: Path, leave: Callable[[Path], object], said: str
) -> None:
    """If nothing of what is there can be read, that is an error and leaves nothing behind."""
    leave(checkout / "model_outputs" / "results_llama.1s.jsonl.tgz")

    with pytest.raises(UserError, match=f"(?s)no replies were found in .*{said}"):
        bring(checkout, checkout.with_name("out"))
    assert [checkout] == list(checkout.parent.iterdir())


def test_a_checkout_without_replies_has_problems(checkout: Path) -> None:
    """Where there are no files of replies, there is nothing to miss."""
    (checkout / "model_outputs" / "results_llama.1s.jsonl.tgz").unlink()

    assert (5, 0, []) == bring(checkout, checkout.with_name("out"))


def test_replies_in_both_places_are_not_counted_twice(checkout: Path) -> None:
    """The same player at the top and in the folder of the repository is refused."""
    (checkout / "results_llama.1s.jsonl").write_text(lines(reply()))

    with pytest.raises(UserError, match=r"both contain the replies of llama\.1s"):
        bring(checkout, checkout.with_name("out"))
