"""A person plays: commands, help, moves taken back, answers typed part by part."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

import pytest

import quandary
from quandary.catalogue import drawing
from quandary.core.contract import Game
from quandary.core.translations import english_in, untranslated
from quandary.matches.player import Player
from quandary.matches.record import Record, replay
from quandary.players.at_terminal import play_at_terminal
from quandary.players.human import Human, drawing_that_fits
from quandary.players.human import drawing as picture_drawn
from quandary.players.strategy import strategy_player
from quandary.programs.library import Program
from quandary.programs.player import ProgramPlayer
from quandary.programs.pool import ProgramPool
from quandary.programs.sandbox.seccomp import reason_missing
from small_games import TicTacToe

HOME = Path(quandary.__file__).parent


def played(
    spec: str,
    *lines: str,
    language: str = "en",
    against: str | Player = "oracle",
    allowed: Collection[str] = ("/undo", "/again"),
) -> tuple[Record, str, Human]:
    """The match of a person who types these lines and hangs up, and everything that was shown."""
    left, shown = list(lines), list[str]()

    async def ask(prompt: str) -> str:
        shown.append(prompt)
        if not left:
            raise EOFError
        shown.append(left[0])
        return left.pop(0)

    game = drawing.game(spec, tries=3, language=language)
    human = Human(ask, shown.append, language, allowed)
    opponent = strategy_player(against, game) if isinstance(against, str) else against
    others = [opponent] * (game.seats - 1)
    record = asyncio.run(play_at_terminal(game, human, 0, [human, *others], spec))
    assert not left
    return record, "\n".join(shown), human


def test_every_command_is_listed_and_works() -> None:
    """What /help lists, at the start and on demand, is obeyed."""
    record, shown, _ = played(
        "sudoku/easy#1",
        "/moves",
        "/rules",
        "/draw",
        "/hint",
        "/solution",
        "/undo",
        "/help",
        "/quit",
    )
    assert 2 == shown.count("  /moves     list the legal moves\n")
    for words in ("0 0 3, 0 0 4,", "---+", "would play: 0 1 3", "Solution:\n", "to take back"):
        assert words in shown
    assert "resigned" == record.cause


def test_a_hint_is_what_the_strongest_player_plays() -> None:
    """And the solution leads to the goal."""
    _, shown, _ = played("sudoku/easy#1", "/solution", "/quit")
    moves = [line for line in shown.partition("Solution:\n")[2].split("\n") if line[:1].isdigit()]
    record, _, _ = played("sudoku/easy#1", *moves)

    assert ("goal", (1.0,), ("human",)) == (record.cause, record.scores, record.players)


def test_what_helped_is_on_record() -> None:
    """The name of the player tells it, so that nobody takes it for play without help."""
    record, _, _ = played("card_nim/easy#1", "/hint", "1", "/undo", "2", "/hint", "/quit")

    assert "human,hints=2,undos=1" == record.players[0]
    assert replay(record)


@pytest.mark.parametrize("spec", ["superply/easy#1", "larger_target/easy#1", "bid_that/easy#1"])
def test_moves_taken_back_leave_luck_as_it_was(spec: str) -> None:
    """The same moves lead to the same draws and replies, in simultaneous rounds too."""
    straight, _, _ = played(spec, *_first_moves(spec), against="random")
    first, second = _first_moves(spec)
    detour, _, _ = played(
        spec, first, "/undo", first, second, "/undo", "/undo", first, second, against="random"
    )

    assert straight.log == detour.log and len(straight.log) > 3
    assert ("human", "human,undos=3") == (straight.players[0], detour.players[0])


def _first_moves(spec: str) -> tuple[str, str]:
    """Two moves that can be made at the start, whatever the opponent does."""
    record, _, _ = played(spec, against="random")
    first = str(next(iter(_here(record).options()[0] or ())))
    record, _, _ = played(spec, first, against="random")
    return first, str(next(iter(_here(record).options()[0] or ())))


def _here(record: Record) -> Game:
    return replay(record)[-1]


def test_a_lost_match_can_be_taken_back() -> None:
    """A dead end is not the end."""
    spec = "sudoku/easy#1"
    start = drawing.game(spec)
    moves = _to_a_dead_end(start)
    lost, shown, _ = played(spec, *moves)
    assert ("dead_end", True) == (lost.cause, "Not solved (score 0" in shown)

    record, _, human = played(spec, *moves, "/undo", "/again")
    assert ("resigned", len(moves) - 1, True) == (record.cause, len(record.log), human.again)


def _to_a_dead_end(position: Game) -> list[str]:
    moves = list[str]()
    while options := position.options():
        worth = position.judge(0) or {}
        move = min(options[0] or (), key=lambda move: worth.get(move, 1.0))
        moves.append(move)
        position = position.after(0, move)
    return moves


@pytest.mark.parametrize(
    ("spec", "typed", "why"),
    [
        ("sudoku/easy#1", "0 3 1", "The cell in row 0 and column 3 is already filled."),
        ("sudoku/easy#1", "1 1 1", "Row 1 already has the value 1."),
        ("sudoku/easy#1", "0 1 4", "Column 1 already has the value 4."),
        ("sudoku/easy#1", "0 1 1", "The box of this cell already has the value 1."),
        ("sudoku/easy#1", "4 0 1", "The row must be from 0 to 3, not 4."),
        ("card_nim/easy#7", "15", "You do not hold the card 15."),
        ("superply/easy#1", "7 1", "The row must be from 1 to 6, not 7."),
        ("superply/easy#1", "1 1", "It does not match the hint: row times column is 1."),
        ("exclusivity_particles/easy#3", "00000", "A place has 4 bits here, not 5."),
    ],
)
def test_an_illegal_move_says_why(spec: str, typed: str, why: str) -> None:
    """The sentence names what is in the way, and the move may be typed again."""
    record, shown, _ = played(spec, typed, "/quit")

    assert f"{typed} is not allowed here. {why}" in shown
    assert 0 not in [seat for seat, _ in record.log]


def test_a_second_claim_says_what_is_in_the_way() -> None:
    """A cell, or a particle, of an earlier turn."""
    _, shown, _ = played("superply/easy#1", "5 5", "5 5", "/quit")
    assert "5 5 is not allowed here. The cell 5 5 is already claimed." in shown

    _, shown, _ = played("exclusivity_particles/easy#3", "0000", "0000", "0001", "/quit")
    assert "0000 is not allowed here. There is already a particle at 0000." in shown
    assert "It differs from the particle at 0000 in 1 bit only." in shown


def test_rules_about_illegal_moves_are_put_right_for_people() -> None:
    """The rules say what becomes of players who are not asked again; people are."""
    _, shown, _ = played("sudoku/easy#1", "/quit")
    loses = shown.index("An illegal move loses the game at once.")

    assert "One rule is different for you: you do not lose by an illegal move" in shown[loses:]
    assert "asked again" not in shown


def test_a_result_names_a_cause_only_where_it_tells_more() -> None:
    """Who has won need not be told that the game came to its end."""
    _, lost, _ = played("card_nim/easy#7", "14", "")
    assert "\nYou lose (score 0).\n" in lost

    moves = _to_a_dead_end(drawing.game("sudoku/easy#1"))
    _, stuck, _ = played("sudoku/easy#1", *moves, "")
    assert "\nNot solved (score 0, the position became a dead end).\n" in stuck


@pytest.mark.parametrize("name", ["sudoku/easy", "sudokill/easy", "takuzu/easy", "card_nim/easy"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_these_puzzles_always_know_why(name: str, language: str) -> None:
    """Every illegal move of random matches has a reason, in the language that is asked for."""
    for seed in range(3):
        game = drawing.game(f"{name}#{seed}")
        position, plies = game, 0
        while (options := position.options()) and plies < 6:
            [(seat, legal)] = options.items()
            seen = position.seen_by(seat)
            for move in _some_moves(position):
                if move not in (legal or ()):
                    why = seen.why_illegal(seat, move, language)
                    assert why, (position, move)
                    assert language == "en" or not english_in(why, ())
            position, plies = position.after(seat, next(iter(legal or ()))), plies + 1


def _some_moves(position: Game) -> list[str]:
    notation = position.notation()
    assert notation is not None
    if len(notation.fields) == 1:
        return [str(number) for number in range(40)]
    return [
        f"{row} {column} {value}" for row in range(5) for column in range(5) for value in "0123"
    ]


def test_json_is_typed_part_by_part() -> None:
    """Rows as they are written on paper; a command in between costs nothing."""
    rows = ["****", "0001", "* 0 0 *", "*,*,0,*"]
    record, shown, _ = played("reversi/0#1", *rows[:2], "/draw", *rows, *rows)

    assert (1.0,) == record.scores
    assert "process 1 of 1, row 4: " in shown
    assert json.loads(record.log[0][1])["answer"][2] == ["*", "0", "0", "*"]


MINES = '[["1", "2"], ["2", "1"]]'


@pytest.mark.parametrize(
    ("spec", "lines"),
    [
        ("minesweeper/0#1", ("1,2", "(2, 1)", "", "1 2", "2 1", "")),
        ("minesweeper/0#1", (f'{{"answer": {MINES},', f'"process": [{MINES}]}}', "")),
        ("lights_out/0#1", ("3 1", "2 2", "", "3 1", "2 2", "", "")),
        (
            "string_synthesis/1#1",
            ("5 0 4 3", "[A] [B] -> [C]", "[B] [B] -> {A} {A}", "[B] [C] -> {A}",
             "[A] [B] -> [C]", ""),
        ),
        ("optimal_touring/easy#1", ("6 20 14 18 8 2 4",)),
        ("optimal_touring/easy#1", ("[6, 20, 14, 18, 8, 2, 4]",)),
    ],
)  # fmt: skip
def test_lists_are_typed_as_people_write_them(spec: str, lines: tuple[str, ...]) -> None:
    """With spaces or commas, one entry per line, or as JSON."""
    assert (1.0,) == played(spec, *lines)[0].scores


def test_a_mistyped_command_is_no_answer() -> None:
    """It would cost a try."""
    record, shown, _ = played("anagram_scribble/easy#1", "/hlep", "/quit")

    assert "/hlep is not a command; /help lists them." in shown
    assert () == record.log


def test_commands_of_a_chinese_keyboard() -> None:
    """Its slash may be wide, and its letters too, during the match and after it."""
    record, shown, _ = played("card_nim/easy#1", "／help", "／ＭＯＶＥＳ", "／quit", language="zh")
    assert 2 == shown.count("列出合法的走法")
    assert "resigned" == record.cause

    moves = _to_a_dead_end(drawing.game("sudoku/easy#1"))
    _, shown, human = played("sudoku/easy#1", *moves, "／draw", "／again", language="zh")
    assert "---+" in shown.partition("没有解出来")[2] and human.again


def test_a_command_works_within_an_answer_of_several_lines() -> None:
    """Its lines have a prompt of their own; the answer begins again after a command."""
    _, answer, _ = played("crossword_arranger/easy#1", "/solution", "/quit")
    rows = answer.partition("Solution:\n")[2].partition("\n> ")[0].split("\n")
    record, shown, _ = played("crossword_arranger/easy#1", rows[0], "/help", *rows, "")

    assert "\n... \n/help\n" in shown and "Begin your answer again." in shown
    assert (1.0,) == record.scores
    left, _, _ = played("crossword_arranger/easy#1", rows[0], "/quit")
    assert ("resigned", ()) == (left.cause, left.log)


@pytest.mark.parametrize(
    ("spec", "line", "why"),
    [
        ("anagram_scribble/easy#1", "", "You typed nothing."),
        ("anagram_scribble/easy#1", "/x", "/x is not a command; /help lists them."),
        ("card_nim/easy#1", "/x", "/x is not a command; /help lists them."),
        ("optimal_touring/easy#1", "", "You typed nothing. An empty list is written []."),
        ("optimal_touring/easy#1", "[1,2", "A bracket is missing in: [1,2"),
        ("optimal_touring/easy#1", "[[1,2", "This is not valid JSON, from line 1, column 6 on."),
    ],
)
def test_what_cannot_be_meant_is_asked_again(spec: str, line: str, why: str) -> None:
    """It uses up no try."""
    more = [""] if line.startswith("[[") else []
    record, shown, _ = played(spec, line, *more, "/quit")

    assert f"\n{why}\n" in shown
    assert 0 not in [seat for seat, _ in record.log]


def test_after_the_end_the_solution_can_be_seen() -> None:
    """It is no help any more, unless the match goes on."""
    spec, moves = "sudoku/easy#1", _to_a_dead_end(drawing.game("sudoku/easy#1"))
    lost, shown, _ = played(spec, *moves, "/draw", "/solution", "/x", "")
    end = shown.partition("Not solved")[2]
    solution = end.partition("Solution:\n")[2].split("\n> ")[0].split("\n")
    won, _, _ = played(spec, *[line for line in solution if line[:1].isdigit()])

    assert ("human",) == lost.players and (1.0,) == won.scores
    assert "---+" in end and 2 == end.count("  /again ")
    on, _, _ = played(spec, *moves, "/solution", "/undo", "/quit")
    assert ("human,solutions=1,undos=1",) == on.players


def test_only_commands_that_make_sense_are_listed() -> None:
    """Questions have no list of moves, duels no solution, and models take no move back."""
    _, question, _ = played("anagram_scribble/easy#1", "/quit")
    _, duel, _ = played("card_nim/easy#1", "/undo", "/again", allowed=["/again"])

    assert ("  /moves" in question, "  /solution" in question) == (False, True)
    assert ("  /moves" in duel, "  /solution" in duel, "  /undo" in duel) == (True, False, False)
    assert "/undo is not possible in this match." in duel and "  /again" in duel


COUNTING = """
class Player:
    def __init__(self):
        self.turns = 0

    def play(self, view):
        self.turns += 1
        return self.turns  # a card that it holds, and another one in each turn
"""


@pytest.mark.skipif(bool(reason_missing()), reason=reason_missing())
def test_a_program_forgets_what_was_taken_back() -> None:
    """It plays on as in a match without the moves that were taken back, also after the end."""
    spec, program = "card_nim/easy#7", Program("program/counting.py", COUNTING, "counting")
    with closing(ProgramPool()) as pool:
        opponent = ProgramPlayer(program, pool, drawing.game(spec))
        straight, _, _ = played(spec, "1", "2", "3", "/quit", against=opponent)
        detour, _, _ = played(
            spec, "5", "/undo", "1", "4", "6", "/undo", "/undo", "2", "3", "/quit", against=opponent
        )

    assert ["1", "1", "2", "2", "3", "3"] == [move for _, move in straight.log]
    assert straight.log == detour.log


SAID = ("/help", "/moves", "99", "4", "/hint", "/solution", "/undo", "/undo", "/quit")


@pytest.mark.parametrize(
    ("spec", "lines"),
    [
        ("card_nim/easy#7", SAID),
        ("superply/easy#1", ("1 1", "7 1", "5 5", "5 5", "x", "/quit")),
        ("exclusivity_particles/easy#3", ("00000", "0000", "0000", "0001", "/quit")),
        ("sudoku/easy#1", ("0 0 1", "9 9 9", "x", "/moves", *SAID)),
        ("reversi/0#1", ("****", "****", "****", "****", "1", "1", "1", "1", "/hint", "/quit")),
        ("minesweeper/0#1", ("1 1", "", "", "/moves", "/solution", "/quit")),
    ],
)
def test_chinese_is_chinese_throughout(spec: str, lines: tuple[str, ...]) -> None:
    """Nothing that is shown has an English word, but for commands, JSON and what was typed."""
    _, shown, _ = played(spec, *lines, language="zh")
    typed = {word.strip("/") for line in lines for word in line.split()}
    commands = {"help", "rules", "moves", "draw", "hint", "solution", "undo", "again", "quit"}

    assert [] == english_in(shown, typed | commands | {"answer", "process", "JSON"})


def test_chinese_lists_have_no_blanks_after_their_commas() -> None:
    """The moves are read as one line of Chinese."""
    assert "0 0 3、0 0 4、" in played("sudoku/easy#1", "/moves", "/quit", language="zh")[1]


@pytest.mark.parametrize("file", sorted(HOME.glob("**/*.zh.toml")), ids=lambda file: file.stem)
def test_all_sentences_are_translated(file: Path) -> None:
    """No phrase of a module or of a package is missing, none is left over."""
    name = file.name.removesuffix(".zh.toml")
    module, package = file.with_name(f"{name}.py"), file.with_name("__init__.py")
    assert module.is_file() or name == file.parent.name
    assert [] == untranslated(module if module.is_file() else package, "zh")


def test_errors_that_the_rules_count_are_named() -> None:
    """In superply an error passes the move on; a person at the terminal keeps it."""
    _, shown, _ = played("superply/easy#1", "/quit")

    assert "your errors are not counted, and it stays your turn" in shown
    assert "you do not lose by an illegal move" not in shown


def test_words_of_a_picture_are_not_said_twice() -> None:
    """Only those that the text has; `/draw` shows all of them."""
    game = drawing.game("superply/easy#1")
    text, whole = game.text(0), picture_drawn(game, 0, "en", colour=False)
    board = drawing_that_fits(game, 0, "en")

    assert "Errors: you 0, your opponent 0; 15 lose." in text
    assert "15 lose." in whole and "15 lose." not in board
    assert board.count("+---") == whole.count("+---") > 0


def test_signs_are_explained_where_there_are_no_colours() -> None:
    """In the words of the legend, below the picture, in the language of the match."""
    game = drawing.game("card_nim/easy#7")
    for language in game.languages:
        legend = f"\n\n* {game.legend(0, language)['mark']}"
        for drawn in (
            drawing_that_fits(game, 0, language),
            picture_drawn(game, 0, language, colour=False),
        ):
            assert drawn.endswith(legend) and 1 == drawn.count("|*1 |") and "| 1 |" in drawn
        assert legend not in picture_drawn(game, 0, language, colour=True)


def test_words_that_are_not_said_twice_leave_no_blank_lines() -> None:
    """Above a picture, and between its parts."""
    assert drawing_that_fits(drawing.game("expanding_nim/easy#1"), 0, "en").startswith(":●")
    auction = drawing_that_fits(drawing.game("bid_that/easy#1"), 0, "en")
    assert "got the item)\n\nsome possible bids\n+-" in auction


def test_a_puzzle_without_a_picture_is_not_drawn_as_text() -> None:
    assert drawing_that_fits(TicTacToe(), 0, "en") == ""
