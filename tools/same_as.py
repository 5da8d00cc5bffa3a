"""Compare what this tree does with what another commit did, byte for byte.

    python tools/same_as.py REF [--only PART ...] [--seeds N]
    python tools/same_as.py --tree DIR [--only PART ...] [--seeds N]

This is for refactorings, which change no output.  REF is checked out into a temporary folder;
`--tree` names an existing checkout instead.  Both trees do the same work side by side, each in
processes of its own, and are used only by the command line and by what `import quandary` exports,
because modules may have moved.  The exit code is 1 if something differs, and 2 for wrong use.

Parts:
    instances   every puzzle, task, level and family: position, words and pictures in all languages,
                options, prompts, solutions, verdicts; splits and published seeds
    records     matches of every strategy at every level
    gradings    imports of published problems and replies, and how they are graded
    stored      runs that REF has made: results, reports, exports and comparisons of them; both
                trees also continue them, without a call to a model
    commands    the commands of README.md, `--help` of all commands, and some more

What is meant to differ stands in `INTENDED`.  Published data is looked for in QUANDARY_DATA, or in
`shared/data` beside the checkout.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice, zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic
from typing import IO, Any, NamedTuple, NoReturn, TypeAlias

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("QUANDARY_DATA") or ROOT.parent / "shared" / "data")


class Intended(NamedTuple):
    """A difference that is meant: a pattern for its whole place, and the reason."""

    place: str
    reason: str


# Empty after each refactoring.
INTENDED: tuple[Intended, ...] = ()

# What is compared has a place, which names it in both trees, and a text.
Item: TypeAlias = tuple[str, str]


# --- inside a tree: instances and records -------------------------------------------------------

TASKS = ("", "whole:", "check:", "next:")
SEEDS = 200  # of each level, unless it is slow; they are divided among its families
DETAILED = 2  # the first seeds, of which everything is compared
FURTHER_SEEDS = {"train": 3, "dev": 1, "published": 10}
DRAWN_FAMILIES = 10  # seeds of a level that has families, without naming one
MOST_OPTIONS = 60  # of a position, that are written out
BUDGET = 1_000  # positions that a strategy may look at

# Slow places, by the number of seeds that are compared there.  It must not depend on the clock,
# because both trees must compare the same seeds.
SLOW = {
    100: "sudokill/normal sudokill/hard superply/hard count_maximal_cocktails/hard "
    "optimal_touring/easy crossword_arranger/easy graph_coloring/easy k_queens/hard "
    "whole:k_queens/hard logic_grid/easy whole:logic_grid/easy sudoku/hard whole:sudoku/hard "
    "check:sudoku/easy next:sudoku/easy takuzu/normal whole:takuzu/normal next:takuzu/easy "
    "check:tidy_tower/easy next:tidy_tower/easy",
    50: "beat_or_bomb_det/easy exclusivity_particles/normal exclusivity_particles/hard "
    "minesweeper/2 ordering_text/hard text_sudoku/hard graph_coloring/medium "
    "whole:graph_coloring/medium whole:graph_coloring/hard check:graph_coloring/easy "
    "check:graph_coloring/medium next:graph_coloring/easy next:graph_coloring/medium "
    "check:k_queens/normal next:k_queens/normal logic_grid/medium whole:logic_grid/medium "
    "check:logic_grid/easy next:logic_grid/easy check:takuzu/easy check:tidy_tower/normal "
    "next:tidy_tower/normal next:tidy_tower/hard",
    20: "expanding_nim/hard optimal_touring/normal cryptanalysis/2 cryptanalysis/3 minesweeper/3 "
    "crossword_arranger/hard exclusivity_probes/normal graph_coloring/hard "
    "check:graph_coloring/hard next:graph_coloring/hard check:k_queens/hard "
    "next:k_queens/hard logic_grid/hard whole:logic_grid/hard check:logic_grid/medium "
    "next:logic_grid/medium check:sudoku/normal check:sudoku/hard next:sudoku/normal "
    "next:sudoku/hard takuzu/hard whole:takuzu/hard check:takuzu/normal next:takuzu/normal "
    "check:tidy_tower/hard",
    10: "optimal_touring/hard self_reasoning/3 exclusivity_probes/hard check:logic_grid/hard "
    "next:logic_grid/hard check:takuzu/hard next:takuzu/hard",
}
SLOW_SOLUTIONS = {
    100: "beat_or_bomb_det/normal larger_target/easy sudokill/normal whole:sudoku/normal",
    50: "beat_or_bomb_det/easy card_nim/hard exclusivity_particles/hard larger_target/normal "
    "whole:k_queens/hard max_target/hard ruby_risks/normal whole:sudoku/hard "
    "whole:takuzu/normal whole:tidy_tower/hard",
    20: "beat_or_bomb_sto/normal bid_that/hard bid_that_vickrey/hard card_nim/normal "
    "larger_target/hard max_maximal_cocktails/easy max_target/easy max_target/normal "
    "ruby_risks/hard whole:takuzu/hard",
    10: "beat_or_bomb_sto/easy beat_or_bomb_sto/hard bid_that/easy bid_that/normal "
    "bid_that_vickrey/normal exclusivity_particles/easy optimal_touring/easy "
    "anagram_scribble/easy",
    5: "bid_that_vickrey/easy",
    1: "max_maximal_cocktails/normal max_maximal_cocktails/hard optimal_touring/normal "
    "optimal_touring/hard",
}
MATCHES = 2  # seeds of each level and pair of players
# Of strategies' replies and of matches without programs: fields that earlier trees do not have.
UNSTORED = re.compile(r", (?:readings=None|sandbox='')(?=[,)])")
SLOW_MATCHES = {
    1: "optimal_touring/hard exclusivity_probes/hard max_target/normal max_target/hard "
    "max_maximal_cocktails/hard max_maximal_cocktails/normal superply/normal superply/hard "
    "ruby_risks/easy ruby_risks/hard takuzu/hard whole:takuzu/hard larger_target/normal "
    "larger_target/hard whole:k_queens/hard optimal_touring/normal ruby_risks/normal",
}


def seeds_at(place: str, most: int, slow: Mapping[int, str]) -> int:
    """How many seeds are compared at a place; families of a level are as slow as the level."""
    level = place.partition(",")[0].partition("@")[0]
    return next((min(n, most) for n, places in slow.items() if level in places.split()), most)


def instances(seeds: int) -> Iterator[Item]:
    """Every puzzle, task, level and family."""
    import quandary as q

    for row in q.list_puzzles():
        for task in TASKS:
            for place, most in places_of(row, task, seeds):
                yield from instances_at(place, most)
        for level in row["levels"]:
            place = f"{row['name']}/{level}"
            yield f"numbers of moves {place}", numbers_of_moves(place)


def places_of(row: Mapping[str, Any], task: str, seeds: int) -> Iterator[tuple[str, int]]:
    """The places of a puzzle and a task, each with its number of seeds."""
    levels = [f"{task}{row['name']}/{level}" for level in row["levels"]]
    if task and all(is_refused(f"{level}#1") for level in levels):
        yield levels[0], 1  # to compare the reason
        return
    for name, level in zip(row["levels"], levels, strict=True):
        in_level = min(seeds, DRAWN_FAMILIES) if row["families"] else seeds
        yield level, seeds_at(level, in_level, SLOW)
        for family in row["families"]:
            share = -(-seeds // len(row["families"]))
            yield f"{level},family={family}", seeds_at(level, share, SLOW)
        there = {"train": seeds, "dev": seeds, "published": row["published_seeds"].get(name, 0)}
        for split, most in FURTHER_SEEDS.items():
            yield f"{level}@{split}", min(seeds, there[split], most)


def is_refused(spec: str) -> bool:
    import quandary as q

    try:
        q.make(spec)
    except q.UserError:
        return True
    return False


def instances_at(place: str, most: int) -> Iterator[Item]:
    """The instances of a place; if its first one is refused, only why."""
    import quandary as q

    is_usual, rules = "@" not in place, ""
    solved = seeds_at(place, most, SLOW_SOLUTIONS) if is_usual else 0
    for seed in range(1, most + 1):
        spec = f"{place}#{seed}"
        try:
            game = q.make(spec)
        except Exception as reason:
            yield spec, failure(reason)
            if seed == 1:
                return
            continue
        parts = [described(game, detailed=seed <= DETAILED)]
        if seed <= solved:
            parts.append(solutions(spec, game))
        if seed <= DETAILED and is_usual:
            parts.append(prompts(spec, game, shots=seed == 1 and solved > 2))
        own_rules = guarded(game.rules(language) for language in game.languages)
        # Most instances of a place have the same rules.
        yield (
            spec,
            "\n".join(
                [own_rules if own_rules != rules else "rules as before", *map(guarded, parts)]
            ),
        )
        rules = own_rules


def hook(puzzle: Any, *names: str) -> Any:
    """The method of a puzzle that has one of these names, which versions differ in; or None."""
    return next((getattr(puzzle, name) for name in names if hasattr(puzzle, name)), None)


def shown_as(value: Any) -> str:
    """A value with its fields; the class of a question as a game has been renamed."""
    return repr(value).replace("Attempt(question=", "QuestionGame(question=")


def described(game: Any, *, detailed: bool) -> Iterator[str]:
    """A position as fields, words, pictures and options; pictures as digests unless `detailed`."""
    yield shown_as(game)
    for seat in range(game.seats):
        seen = game.seen_by(seat)
        for language in game.languages:
            yield f"text, seat {seat}, {language}:\n{seen.text(seat, language)}"
            scene = repr(seen.scene(seat, language))
            shown = scene if detailed else digest(scene)
            yield f"scene, seat {seat}, {language}: {shown}"
    for seat, moves in game.options().items():
        if moves is None:
            yield f"options of seat {seat}: any text"
        else:
            first = list(islice(moves, MOST_OPTIONS))
            weights = [moves[move] for move in first] if isinstance(moves, Mapping) else ""
            yield f"options of seat {seat}: {len(moves)} {first} {weights}"
    if not detailed:
        return
    for language in game.languages:
        yield f"how: {game.how(language)}\nlegend: {dict(game.legend(0, language))}"
    yield f"canonical: {game.canonical()!r}"
    yield f"equivalent: {shown_as(hook(game, 'equivalent', 'alike')(Random(1)))}"
    best, is_bound = hook(game, "reference"), hook(game, "reference_is_bound")
    yield f"reference: {best() if best else None!r} {bool(is_bound and is_bound())}"


def solutions(spec: str, game: Any) -> Iterator[str]:
    """The solution of a question with its verdict, or the oracle's moves in a game's first turn."""
    import quandary as q

    if asked := getattr(game, "question", None):
        question = asked.seen_by(0)
        solution, guess = question.solution(), question.sample(Random(spec))
        yield f"solution:\n{solution}"
        for answer in (solution, guess, "?"):
            for language in game.languages:
                yield f"verdict: {asked.check(answer, language)!r}"
        reply = f"It is this:\n```\n{guess}\n```"
        yield f"grading: {q.grade(spec, reply)!r}"
        return
    oracle = game.strategies.get("oracle")
    for seat in game.options() if oracle else ():
        if seat >= 0:  # luck has no strategy
            move = oracle(game.seen_by(seat), seat, Random(spec), BUDGET)
            yield f"oracle, seat {seat}: {move}"


def prompts(spec: str, game: Any, *, shots: bool) -> Iterator[str]:
    """What a model is sent first, and after a reply that cannot be read; with `shots` also with an
    example, for which another instance is solved.
    """
    import quandary as q

    for language in game.languages:
        for seat in range(game.seats):
            session = q.Session(spec, seat=seat, language=language, tries=2)
            if seat not in session.pending:
                continue
            yield f"messages, seat {seat}: {dumped(session.messages(seat))}"
            yield f"step: {session.reply('I do not know.', seat)!r}"
            if not session.done and seat in session.pending:
                yield f"messages: {dumped(session.messages(seat))}"
        if shots:
            asked = q.prompt(spec, language=language, shots=1, legal=True, thoughts="none")
            yield f"with an example: {dumped(asked)}"


def numbers_of_moves(level: str) -> str:
    import quandary as q

    try:
        index = q.move_index(level)
    except Exception as reason:
        return failure(reason)
    step = max(1, index.size // MOST_OPTIONS)
    return f"{index.size}: {[index.move(number) for number in range(0, index.size, step)]}"


def records(seeds: int) -> Iterator[Item]:
    """Matches of every strategy, in both seats of two-player games."""
    import quandary as q

    for row in q.list_puzzles():
        for task in TASKS:
            for level in row["levels"]:
                place = f"{task}{row['name']}/{level}"
                if task and is_refused(f"{place}#1"):
                    continue
                for seed in range(1, seeds_at(place, min(seeds, MATCHES), SLOW_MATCHES) + 1):
                    yield from matches(f"{place}#{seed}", row)


def matches(spec: str, row: Mapping[str, Any]) -> Iterator[Item]:
    """All strategies at an instance; in two-player games against `random`, in both seats."""
    import quandary as q

    for player in (*row["players"], "house"):
        pairs = [(player, "random"), ("random", player)] if row["seats"] == 2 else [(player,)]
        for players in pairs:
            place = f"{spec} {' '.join(players)}"
            try:
                # Strategies' replies take no time in records.
                yield place, UNSTORED.sub("", shown_as(q.match(spec, *players, tries=2)))
            except Exception as reason:
                yield place, failure(reason)  # of some tasks, that they lack a strategy


def guarded(lines: Iterable[str]) -> str:
    """The lines; an error ends them, and is something to compare too."""
    found = list[str]()
    try:
        for line in lines:
            found.append(line)
    except Exception as reason:
        found.append(failure(reason))
    return "\n".join(found)


def failure(reason: Exception) -> str:
    return f"raises {type(reason).__name__}: {reason}"


def dumped(messages: object) -> str:
    return json.dumps(messages, ensure_ascii=False)


def digest(text: str | bytes) -> str:
    raw = text.encode() if isinstance(text, str) else text
    return blake2b(raw, digest_size=16).hexdigest()


WORKERS = {"instances": instances, "records": records}


def work(part: str, source: str, seeds: int) -> int:
    """Write the items of a part to standard output, one JSON line each."""
    import quandary as q

    assert q.__file__.startswith(source), f"{q.__file__} is not in {source}"
    for item in WORKERS[part](seeds):
        print(json.dumps(item), flush=False)
    return 0


# --- outside: a tree and its commands -----------------------------------------------------------

# What cannot be equal in two runs of the same tree, and what stands for it.
NORMALISED = (
    (r"/\S*/quandary-demo-\w+", "DEMO"),  # `quandary demo` writes to a temporary folder
    (r"quandary: matches of [^\n]* left\n?", ""),  # progress, every few seconds
)
# When calls were made, and the seconds that replies took, in records and in journals.
TIMES = (
    (r'(?<="),[0-9.e-]+(?=,[0-9]+\])', ",0"),
    (r'"seconds":[0-9.e-]+', '"seconds":0'),
    (r'"at":"[^"]+"', '"at":""'),
)
# Compiled files contain paths; tables follow from records, and from the seconds in them.
TIMED = {"records.jsonl", "journal.jsonl"}
LEFT_OUT = {"__pycache__", "tables"}
TEXTS = {".html", ".csv", ".md", ".tex", ".svg", ".json", ".jsonl", ".js", ".css", ".toml", ".tsv"}
TEXTS |= {".txt", ".py", ""}
RUNNING = set[subprocess.Popen[bytes]]()  # stopped if the comparison is


@dataclass
class Tree:
    """A checkout, and the folder in which its commands are run."""

    name: str
    folder: Path
    scratch: Path
    address: str = ""  # of the server that plays a model
    skipped: list[str] = field(default_factory=list)

    @property
    def source(self) -> Path:
        return self.folder / "src"

    @property
    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "QUANDARY"))}
        return kept | {
            "PYTHONPATH": str(self.source),
            "XDG_CACHE_HOME": str(self.scratch / "cache"),
            "XDG_DATA_HOME": str(self.scratch / "data"),
            "OPENAI_API_KEY": "none",
            "COLUMNS": "100",
            "NO_COLOR": "1",
        }

    def work(self, part: str, seeds: int, out: Path) -> None:
        """Let a worker in this tree write the items of a part."""
        command = [sys.executable, str(Path(__file__).resolve()), "--worker", part]
        command += ["--tree", str(self.source), "--seeds", str(seeds)]
        with out.open("wb") as file:
            _, mistakes, code = self._finished(command, stdout=file)
        if code:
            raise SystemExit(f"{self.name}, {part}: {mistakes}")

    def run(self, *command: str, typed: str = "") -> str:
        """What `quandary` prints for these arguments, and its exit code."""
        return self.python("-m", "quandary", *command, typed=typed)

    def python(self, *arguments: str, typed: str = "") -> str:
        *streams, code = self._finished([sys.executable, *arguments], typed)
        output = "\n--- standard error ---\n".join(filter(None, streams))
        return self.normalised(f"{output}\nexit code {code}")

    def _finished(
        self, command: Sequence[str], typed: str = "", stdout: IO[bytes] | int = subprocess.PIPE
    ) -> tuple[str, str, int]:
        """Both outputs of a process, and its exit code."""
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.PIPE,
            cwd=self.scratch,
            env=self.environment,
        )
        RUNNING.add(process)
        with process:
            outputs = [(each or b"").decode() for each in process.communicate(typed.encode())]
        RUNNING.discard(process)
        return outputs[0], outputs[1], process.returncode

    def normalised(self, text: str) -> str:
        for own, word in ((self.scratch, "SCRATCH"), (self.folder, "TREE")):
            text = text.replace(str(own), word)
        if self.address:
            for address in (f"{self.address}/{self.name}", self.address):
                text = text.replace(address, "http://SERVER")
        for pattern, word in NORMALISED:
            text = re.sub(pattern, word, text)
        return text

    def output_of(self, *command: str, typed: str = "") -> Item:
        """A command as an item."""
        place = self.normalised(f"quandary {shlex.join(command)}")
        return place, self.run(*command, typed=typed)

    def files(self, folder: str, *, is_sorted: Sequence[str] = ()) -> Iterator[Item]:
        """All files below a folder; of those in `is_sorted` the order of lines does not matter."""
        for path in sorted((self.scratch / folder).rglob("*")):
            if path.is_file() and not LEFT_OUT & set(path.parts):
                place = str(path.relative_to(self.scratch))
                yield place, self._content(path, path.name in is_sorted)

    def _content(self, path: Path, is_sorted: bool) -> str:
        raw = path.read_bytes()
        try:
            if path.suffix not in TEXTS:
                raise UnicodeError
            text = self.normalised(raw.decode())
            if path.name in TIMED:
                for pattern, word in TIMES:
                    text = re.sub(pattern, word, text)
        except UnicodeError:
            return f"{len(raw)} bytes {digest(raw)}"
        return "".join(sorted(text.splitlines(keepends=True))) if is_sorted else text


# --- gradings -----------------------------------------------------------------------------------


def gradings(tree: Tree) -> Iterator[Item]:
    """Imports of the published problems, and how replies and runs are graded."""
    for paper in ("textgames", "finereason", "logicgame"):
        if not (DATA / paper).is_dir():
            tree.skipped.append(f"{paper}: {DATA / paper} is not there; set QUANDARY_DATA")
            continue
        out = f"imports/{paper}"
        yield tree.output_of("import", paper, str(DATA / paper), "--out", out)
        yield from tree.files(out)
        if paper == "textgames":
            yield tree.output_of("regrade", out, "--grading", "published", "--json")
            yield tree.output_of("regrade", out, "--grading", "published", "--changes")
            yield tree.output_of("regrade", out, "--grading", "strict")
            yield tree.output_of("results", out)
            yield tree.output_of("results", out, "--papers")
            continue
        yield from problems(tree, paper, out)


def problems(tree: Tree, paper: str, out: str) -> Iterator[Item]:
    """A few problems of an import, played by strategies and by a model, and graded."""
    if paper == "logicgame":
        asked = ["--wording", "published", "--problem", "*17", "--player", MODEL]
        asked += ["--base-url", f"{tree.address}/v1", "--concurrency", "1"]
        yield tree.output_of("run", "--problems", out, *asked, "--out", f"asked/{paper}")
        yield from tree.files(f"asked/{paper}")
    run = f"played/{paper}"
    command = ["run", "--problems", out, "--problem", "*7", "--out", run]
    players = ["--player", "oracle", "--player", "random", "--engine", "asyncio"]
    yield tree.output_of(*command, *players)
    yield from tree.files(run, is_sorted=["records.jsonl"])
    for grading in ("strict", "published"):
        yield tree.output_of("regrade", run, "--grading", grading, "--json")
    yield tree.output_of("results", run, "--papers")


# --- stored runs --------------------------------------------------------------------------------

SUITES = ("quick", "textgames", "finereason", "puzzleplex")
MODEL = "openai/tiny"
MODEL_SUITE = """
tries = 2

[[puzzles]]
puzzle = "card_nim"
levels = ["easy", "normal"]
seeds = "1-3"

[[puzzles]]
puzzle = "tidy_tower"
levels = ["easy"]
seeds = "1-3"

[[puzzles]]
puzzle = "sudoku"
task = "check"
levels = ["easy", "normal"]
seeds = "1-6"

[[puzzles]]
puzzle = "game_of_24"
task = "next"
levels = ["easy"]
seeds = "1-3"

[[puzzles]]
puzzle = "islands"
levels = ["easy"]
seeds = "1-3"

[[puzzles]]
puzzle = "reversi"
levels = ["0", "1"]
seeds = "1-3"

[[puzzles]]
puzzle = "pooling"
levels = ["0"]
seeds = "1-3"
"""


READ_LOGS = """
import sys
from pathlib import Path
from inspect_ai.log import read_eval_log

for path in sorted(Path(sys.argv[1]).glob("*.eval")):
    print(path.name, read_eval_log(str(path)).model_dump_json(indent=1, exclude={"location"}))
"""


def replied(messages: Sequence[Mapping[str, Any]]) -> str:
    """What the model says: it follows from the messages alone, and is sometimes readable."""
    luck = Random(json.dumps(messages, sort_keys=True))
    number = luck.randint(1, 9)
    return luck.choice(
        (
            f"<think>Which one?</think>I choose {number}.\nAnswer: {number}",
            f"Answer: {number}",
            "Answer: solvable",
            "The position is unsolvable.\nAnswer: unsolvable",
            f"```\n{number} {number}\n```",
            '```json\n{"answer": ["1"], "process": ["1", "2"]}\n```',
            "```\n.....\n.###.\n.....\n```",
            "I cannot say.",
            "",
        )
    )


@contextmanager
def model_server() -> Iterator[tuple[str, list[str]]]:
    """A chat completions server on loopback: its address, and the paths of all calls."""
    calls = list[str]()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # headers and body in one piece

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            calls.append(f"{self.path} {json.dumps(body, sort_keys=True, ensure_ascii=False)}")
            text = replied(body["messages"])
            choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 100, "completion_tokens": len(text)}
            reply = json.dumps({"model": "tiny", "choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}", calls
        http.shutdown()


def model_command(address: str, out: str, *more: str) -> list[str]:
    """A run of the model beside strategies, in both languages."""
    command = ["run", "--suite", "model.toml", "--player", MODEL, "--player", f"{MODEL},shots=1"]
    command += ["--player", "random", "--language", "en", "--language", "zh", *more]
    return [*command, "--out", out, "--base-url", f"{address}/v1"]


def stored_commands(address: str) -> dict[str, list[str]]:
    """The runs that are made once, by name."""
    runs = {
        suite: ["run", "--suite", suite, "--small", "--player", "oracle", "--player", "random"]
        for suite in SUITES
    }
    runs["pairs"] = ["run", "--puzzle", "card_nim", "--puzzle", "bid_that", "--level", "easy"]
    runs["pairs"] += ["--schedule", "pairs", "--seeds", "1-4", "--player", "house"]
    runs["pairs"] += ["--player", "oracle", "--player", "random", "--normalised"]
    out = {name: [*command, "--out", f"runs/{name}"] for name, command in runs.items()}
    return out | {"model": model_command(address, "runs/model")}


def make_runs(before: Path, folder: Path, address: str) -> Path:
    """The runs that both trees read, made by REF."""
    maker = Tree("before", before, folder)
    write_inputs(folder)
    for name, command in stored_commands(address).items():
        output = maker.run(*command)
        if not output.endswith("exit code 0"):
            raise SystemExit(f"the run {name} of REF failed: {output}")
    return folder / "runs"


def write_inputs(folder: Path) -> None:
    """Files that commands name."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.toml").write_text(MODEL_SUITE)
    (folder / "map.txt").write_text("#.....\n")
    (folder / "reply.txt").write_text("I would draw this.\n```\n#.....\n```\n")


def stored(tree: Tree, runs: Path, address: str, calls: list[str]) -> Iterator[Item]:
    """What commands print about the runs, and how the runs go on."""
    write_inputs(tree.scratch)
    shutil.copytree(runs, tree.scratch / "runs")
    names = sorted(path.name for path in runs.iterdir())
    for name in names:
        yield from outputs_of(tree, f"runs/{name}")
    yield from outputs_of_several(tree)
    yield from continued(tree, address, calls)
    yield from played_anew(tree, address, calls)


def outputs_of(tree: Tree, run: str) -> Iterator[Item]:
    """What commands tell of one run; of two runs in every form."""
    name = Path(run).name
    in_every_form = name in ("quick", "model")
    for grouping in ("", "--ratings", "--papers", "--by puzzle", "--by level", "--by turn"):
        yield tree.output_of("results", run, *grouping.split(), "--json")
        if in_every_form:
            yield tree.output_of("results", run, *grouping.split())
    for form in ("csv", "parquet", "inspect") if in_every_form else ("csv",):
        out = f"exports/{name}/{form}"
        yield tree.output_of("export", run, "--to", form, "--out", out, "--json")
        if form == "inspect":
            # Archives of Inspect AI contain times, and messages numbers that it draws.
            logs = tree.python("-c", READ_LOGS, out)
            yield out, re.sub(r'"(id|uuid)": ?"\w{22}"', r'"\1": ""', logs)
        else:
            yield from tree.files(out)
    yield tree.output_of("report", run, "--out", f"reports/{name}", "--json")
    yield from tree.files(f"reports/{name}")
    yield tree.output_of("replay", run, "--json")
    if in_every_form:
        yield tree.output_of(
            "replay", run, "--match", "1", "--judge", "--transcript", "--language", "zh"
        )
        yield tree.output_of(
            "plan", "--suite", "quick", "--player", MODEL, "--from-run", run, "--json"
        )


def outputs_of_several(tree: Tree) -> Iterator[Item]:
    """Commands about several runs, or about the model's alone."""
    pair = ["--player-a", "oracle", "--player-b", "random"]
    yield tree.output_of("compare", "runs/quick", "runs/quick", *pair)
    yield tree.output_of("compare", "runs/quick", "runs/quick", *pair, "--json")
    models = ["--player-a", f"{MODEL},language=en", "--player-b", f"{MODEL},language=zh"]
    yield tree.output_of("compare", "runs/model", "runs/model", *models, "--json")
    yield tree.output_of("results", "runs/quick", "runs/puzzleplex", "--json")
    yield tree.output_of("report", "runs/quick", "runs/model", "--out", "reports/both")
    yield from tree.files("reports/both")
    yield tree.output_of("merge", "runs/quick", "runs/quick", "--out", "runs/merged")
    yield from tree.files("runs/merged")
    yield tree.output_of("regrade", "runs/model", "--changes")
    yield tree.output_of("regrade", "runs/model", "--json")
    yield tree.output_of("sample", "runs/model", "--n", "5", "--out", "sample", "--json")
    yield from tree.files("sample")
    yield tree.output_of("labels", "sample", "--json")
    for suite in SUITES:
        yield tree.output_of("plan", "--suite", suite, "--small", "--player", MODEL, "--json")
    yield tree.output_of("plan", "--suite", "quick", "--player", MODEL)


def continued(tree: Tree, address: str, calls: list[str]) -> Iterator[Item]:
    """Runs go on where they were: nothing is played again, and a player can be added."""
    before = len(calls)
    for name, command in stored_commands(address).items():
        yield f"continued: {name}", tree.run(*command)
        yield (
            f"records: {name}",
            tree._content(tree.scratch / "runs" / name / "records.jsonl", False),
        )
    # Not those of `played_anew` in the other tree, which have another path.
    paid = [call for call in calls[before:] if call.startswith("/v1/")]
    yield "calls of continued runs", "\n".join(paid)
    more = ["--player", "house"]
    yield "a player is added", tree.run(*stored_commands(address)["quick"], *more)
    yield from tree.files("runs/quick", is_sorted=["records.jsonl"])


def played_anew(tree: Tree, address: str, calls: list[str]) -> Iterator[Item]:
    """The model's run once more by this tree: what it was sent, and what was recorded."""
    own = f"/{tree.name}"
    yield "a model's run", tree.run(*model_command(f"{address}{own}", "new/model"))
    sent = sorted(call.removeprefix(own) for call in calls if call.startswith(f"{own}/"))
    yield "what the model was sent", "\n".join(sent)
    yield from tree.files("new", is_sorted=["records.jsonl", "journal.jsonl"])


# --- commands -----------------------------------------------------------------------------------

SHOWN = (
    "sudokill/easy#7", "card_nim/hard#3", "beat_or_bomb_sto/normal#2", "whole:tidy_tower/easy#4",
    "check:sudoku/normal#1", "next:logic_grid/easy#2", "islands/hard#3", "reversi/3#1",
    "self_reasoning/2#5", "sudoku/easy@published#3", "text_sudoku/medium#2", "takuzu/easy@train#1",
    "no_such/easy#1", "card_nim/none#1", "card_nim/easy,stones=1#1",
)  # fmt: skip
# Other parts have commands like these, or the run is one of a model.
ELSEWHERE = "import --problems runs/words runs/textgames runs/items"
NETWORK = "openai/ local/ pull"


def commands(tree: Tree) -> Iterator[Item]:
    """README.md, help texts, listings and single instances."""
    write_inputs(tree.scratch)
    for command in ("", *re.findall(r"^  (\w+)  ", tree.run("--help"), re.M)):
        yield tree.output_of(*command.split(), "--help")
    yield tree.output_of("--version")
    for command in ("list", "list --json", "list --suites", "list --suites --json", "models"):
        yield tree.output_of(*command.split())
    for spec in SHOWN:
        for language in ("en", "zh"):
            yield tree.output_of("show", spec, "--language", language, "--draw")
        image = f"pictures/{spec.replace('/', '-').replace('#', '-')}"
        (tree.scratch / "pictures").mkdir(exist_ok=True)
        yield tree.output_of("show", spec, "--json", "--solution", "--image", f"{image}.svg")
        yield tree.output_of("prompt", spec, "--player", f"{MODEL},shots=1", "--json")
    yield from tree.files("pictures")
    for puzzle in ("card_nim", "islands", "pooling"):
        yield tree.output_of("check", puzzle)
    for kind in ("duel", "solo", "question", "worked"):
        yield tree.output_of("new", f"my_{kind}", "--at", "mine", "--kind", kind)
        yield tree.output_of(
            "--puzzles", "mine", "match", f"my_{kind}/easy#1", "--players", "random"
        )
    yield from tree.files("mine")
    for shell in ("bash", "zsh", "fish"):
        yield tree.output_of("completion", shell)
    yield tree.output_of("demo")
    yield "python README.md", tree.python("-m", "doctest", str(ROOT / "README.md"))
    yield from readme(tree)


def readme(tree: Tree) -> Iterator[Item]:
    """The commands of README.md that need no network, and what they write."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    for line in "".join(blocks).splitlines():
        words = shlex.split(re.sub(r"\s+(#|> ).*", "", line))
        if words[:1] != ["quandary"] or words == ["quandary", "play", "sudoku"]:  # any seed
            continue
        if any(each in line for each in (*ELSEWHERE.split(), *NETWORK.split())):
            continue
        if words[1] == "run":
            words += ["--engine", "asyncio"]  # processes write records in any order
        yield tree.output_of(*words[1:], typed="/help\n/quit\n")
    yield from tree.files("runs", is_sorted=["records.jsonl"])


# --- comparing ----------------------------------------------------------------------------------

PARTS = ("instances", "records", "gradings", "stored", "commands")
CONTEXT = 2  # equal lines that are shown before a difference
LINES, WIDTH = 2, 160  # of a difference that are shown
MOST_SHOWN = 12  # differences of a part


class Difference(NamedTuple):
    place: str
    shown: str


class Compared(NamedTuple):
    places: list[str]  # that are equal
    differences: list[Difference]


def compare(one: Path, other: Path, names: tuple[str, str]) -> Compared:
    """Compare two files of items.

    Lines that are equal are dropped at once, so that memory holds differences only.
    """
    equal, left, right = list[str](), dict[str, str](), dict[str, str]()
    with one.open("rb") as first, other.open("rb") as second:
        for mine, yours in zip_longest(first, second):
            if mine == yours:
                equal.append(json.loads(mine)[0])
                continue
            for line, found in ((mine, left), (yours, right)):
                if line is not None:
                    place, text = json.loads(line)
                    found[place] = text
    different = list[Difference]()
    for place in left | right:
        texts = left.get(place), right.get(place)
        if texts[0] == texts[1]:
            equal.append(place)
        else:
            different.append(Difference(place, shown_difference(*texts, names)))
    return Compared(equal, different)


def shown_difference(one: str | None, other: str | None, names: tuple[str, str]) -> str:
    """The first lines in which two texts differ."""
    if one is None or other is None:
        return f"    only in {names[0] if other is None else names[1]}"
    mine, yours = one.splitlines(), other.splitlines()
    pairs = list(zip_longest(mine, yours, fillvalue="(nothing)"))
    different = [number for number, (a, b) in enumerate(pairs) if a != b]
    first = different[0] if different else 0  # they may differ in how lines end
    lines = [f"    line {first + 1}, {len(different):,} of {len(pairs):,} lines differ:"]
    lines += [f"        {cut(line, 0)}" for line in mine[max(0, first - CONTEXT) : first]]
    for number in different[:LINES]:
        at = first_difference(*pairs[number])
        for sign, name, line in zip("-+", names, pairs[number], strict=True):
            lines.append(f"      {sign} {name}: {cut(line, at)}")
    return "\n".join(lines)


def first_difference(mine: str, yours: str) -> int:
    """The first letter in which two lines differ."""
    pairs = zip_longest(mine, yours)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), 0)


def cut(line: str, at: int) -> str:
    """A line, or the part of it around a letter."""
    start = max(0, at - WIDTH // 2)
    part = line[start : start + WIDTH]
    return f"{'...' if start else ''}{part}{'...' if start + WIDTH < len(line) else ''}"


def report(part: str, found: Compared, skipped: Iterable[str]) -> bool:
    """Print what was compared; whether something differs that is not intended."""
    meant = list[tuple[Difference, str]]()
    unmeant = list[Difference]()
    for difference in found.differences:
        reasons = [i.reason for i in INTENDED if re.fullmatch(i.place, difference.place)]
        if reasons:
            meant.append((difference, reasons[0]))
        else:
            unmeant.append(difference)
    verdict = f"{len(unmeant):,} differ" if unmeant else "equal"
    verdict += f", {len(meant):,} differ as intended" if meant else ""
    places = [*found.places, *(difference.place for difference in found.differences)]
    print(f"{part}: {counted(part, places)}, {verdict}")
    for reason in skipped:
        print(f"  skipped: {reason}")
    for reason in dict.fromkeys(reason for _, reason in meant):
        those = [difference.place for difference, why in meant if why == reason]
        print(f"  intended, {reason}: {len(those):,}, for example {those[0]}")
    for place, shown in unmeant[:MOST_SHOWN]:
        print(f"  {place}\n{shown}")
    if len(unmeant) > MOST_SHOWN:
        print(f"  ... and {len(unmeant) - MOST_SHOWN:,} more:")
        wholes = Counter(whole_of(difference.place) for difference in unmeant[MOST_SHOWN:])
        for whole, count in wholes.items():
            print(f"    {whole}: {count:,}")
    sys.stdout.flush()
    return bool(unmeant)


def whole_of(place: str) -> str:
    """What a place is part of: the level of an instance, the upper folders of a file."""
    if place.startswith("quandary "):
        return place
    return "/".join(place.partition("#")[0].split("/")[:2])


def counted(part: str, places: Sequence[str]) -> str:
    if part not in WORKERS:
        return f"{len(places):,} outputs and files"
    specs = [place for place in places if "#" in place]
    levels = {spec.partition("#")[0] for spec in specs}
    puzzles = {level.rpartition(":")[2].partition("/")[0] for level in levels}
    things = "instances" if part == "instances" else "matches"
    return f"{len(puzzles)} puzzles, {len(levels):,} places, {len(specs):,} {things}"


# --- the whole comparison -----------------------------------------------------------------------


@contextmanager
def checked_out(ref: str, folder: Path) -> Iterator[Path]:
    """A worktree of a commit, which is removed at the end."""
    git = ["git", "-C", str(ROOT), "worktree"]
    made = subprocess.run(
        [*git, "add", "--detach", str(folder), ref], capture_output=True, text=True, check=False
    )
    if made.returncode:
        misused(f"git cannot check {ref!r} out: {made.stderr.strip().splitlines()[-1]}")
    try:
        yield folder
    finally:
        subprocess.run([*git, "remove", "--force", str(folder)], capture_output=True, check=False)


@contextmanager
def other_tree(options: argparse.Namespace, scratch: Path) -> Iterator[Path]:
    if options.tree is None:
        with checked_out(options.ref, scratch / "worktree") as folder:
            yield folder
    elif not (options.tree / "src" / "quandary").is_dir():
        misused(f"{options.tree} is not a checkout of quandary")
    else:
        yield options.tree.resolve()


def write_items(items: Iterable[Item], path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for item in items:
            file.write(json.dumps(item) + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ref", nargs="?", metavar="REF", help="a commit, branch or tag")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help="of each place")
    parser.add_argument("--tree", type=Path, metavar="DIR", help="a checkout, instead of REF")
    parser.add_argument("--worker", choices=WORKERS, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.worker:
        return work(options.worker, str(options.tree), options.seeds)
    if (options.ref is None) == (options.tree is None):
        misused("name either REF or --tree DIR")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that everything is cleaned up
    with (
        TemporaryDirectory(prefix="same_as-") as made,
        other_tree(options, Path(made)) as before,
        model_server() as (address, calls),
    ):
        return compared(options, before, Path(made), address, calls)


def compared(
    options: argparse.Namespace, before: Path, made: Path, address: str, calls: list[str]
) -> int:
    """Let both trees do all parts side by side, and report each part when both have done it."""
    chosen = [part for part in PARTS if part in options.only]
    trees = {"before": before, "here": ROOT}
    started, differs = monotonic(), False
    with ThreadPoolExecutor(1) as maker, ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as two:
        runs = None
        if "stored" in chosen:
            runs = maker.submit(make_runs, before, made / "stored", address)

        def do(name: str, part: str) -> tuple[Tree, Path]:
            tree = Tree(name, trees[name], made / name / part, address)
            tree.scratch.mkdir(parents=True)
            out = made / f"{name}-{part}.jsonl"
            if part in WORKERS:
                tree.work(part, options.seeds, out)
            elif part == "gradings":
                write_items(gradings(tree), out)
            elif part == "commands":
                write_items(commands(tree), out)
            else:
                assert runs
                write_items(stored(tree, runs.result(), address, calls), out)
            return tree, out

        pools = dict(zip(trees, (one, two), strict=True))
        done = {part: [pools[name].submit(do, name, part) for name in trees] for part in chosen}
        try:
            for part, both in done.items():
                (tree, first), (_, second) = (future.result() for future in both)
                found = compare(first, second, ("before", "here"))
                print(f"[{monotonic() - started:.0f} s] ", end="")
                differs |= report(part, found, tree.skipped)
        except BaseException:
            for pool in (maker, one, two):
                pool.shutdown(wait=False, cancel_futures=True)
            for process in [*RUNNING]:
                process.terminate()
            raise
    print("Something differs." if differs else "Nothing differs.")
    return int(differs)


def misused(sentence: str) -> NoReturn:
    print(f"same_as: {sentence}.", file=sys.stderr)
    raise SystemExit(2)


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except KeyboardInterrupt:
        print("same_as: stopped.", file=sys.stderr)
        raise SystemExit(130) from None
