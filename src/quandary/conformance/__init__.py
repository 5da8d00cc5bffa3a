"""The checks that every puzzle must pass: `check(Puzzle)` lists the violations.

    from quandary.conformance import check
    for violation in check(MyPuzzle):
        print(violation)

All puzzles of this package are checked by its tests; other puzzles can be checked in the same way.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from quandary.catalogue import registry
from quandary.core.contract import Puzzle
from quandary.core.naming import name_of
from quandary.core.wrapper import task_of
from quandary.matches.match import EndlessMatch

from . import (
    canonical,
    collisions,
    examples,
    families,
    games,
    generation,
    hooks,
    languages,
    moves,
    optimal,
    processes,
    purity,
    questions,
    repetition,
    secrecy,
    shapes,
    solving,
    strategies,
    tasks,
    values,
    words,
    worked,
)
from .case import FEW_DRAWS, Case, Draws, Tell, tell_nobody
from .violation import Violation, distinct, raised

__all__ = ["INVARIANTS", "Violation", "check", "distinct", "violations", "violations_of"]

Invariant = Callable[[Case], Iterator[str]]

# Where one of these fails, no other check runs: each would complain about what follows from it.
FIRST: tuple[Invariant, ...] = (
    generation.levels_name_arguments,
    hooks.hooks_follow_the_contract,
    generation.positions_are_values,
    games.each_seat_has_a_score,
)
INVARIANTS: tuple[Invariant, ...] = (
    *FIRST,
    generation.levels_make_a_difference,
    generation.labels_are_known,
    generation.hooks_are_spelt_right,
    generation.it_says_what_it_is,
    generation.fields_are_described,
    purity.nothing_from_outside,
    generation.same_seed_same_instance,
    generation.neighbours_differ,
    families.families_are_made,
    families.families_look_different,
    families.siblings_keep_the_family,
    families.neighbours_of_a_family_differ,
    repetition.small_levels_are_counted,
    repetition.instances_are_distinct,
    canonical.canonical_is_sound,
    canonical.canonical_is_plain,
    collisions.equal_forms_leave_the_same_task,
    processes.instances_are_the_same_in_every_process,
    canonical.equivalent_is_the_same_task,
    canonical.equivalent_keeps_the_reference,
    generation.positions_survive_json,
    generation.states_can_be_restated,
    words.drawn_rules_are_declared,
    words.rules_hold_for_siblings,
    examples.examples_in_rules_can_be_read,
    words.positions_have_words,
    words.words_leave_nothing_out,
    words.no_value_is_missing,
    words.pictures_are_sound,
    words.legends_explain_the_colours,
    words.positions_alone_decide_what_is_shown,
    languages.phrases_are_literals,
    languages.every_phrase_is_translated,
    languages.translations_hold_no_english,
    secrecy.something_is_hidden,
    secrecy.views_hide,
    secrecy.positions_show_no_more_than_views,
    secrecy.no_field_repeats_a_secret,
    secrecy.views_carry_declared_fields_only,
    secrecy.views_survive_json,
    secrecy.possible_positions_are_complete,
    secrecy.redealing_changes_nothing_seen,
    secrecy.fouls_tell_no_secrets,
    secrecy.simultaneous_moves_stay_hidden,
    games.options_are_sound,
    games.playing_changes_nothing_but_the_result,
    games.impossible_draws_are_refused,
    games.any_text_is_read_or_refused,
    moves.play_is_final,
    moves.moves_have_one_notation,
    moves.options_are_written_as_declared,
    moves.moves_are_numbered_per_level,
    moves.how_to_sentences_can_be_followed,
    moves.clicks_fill_in_moves,
    games.matches_end,
    games.logs_replay,
    strategies.the_strongest_player_is_declared,
    strategies.strategies_play_by_the_rules,
    strategies.strategies_follow_from_their_luck,
    solving.one_seat_games_can_be_won,
    solving.optimal_players_solve_many,
    solving.solvable_tells_the_truth,
    solving.shortcuts_agree_with_moves,
    solving.whole_games_are_read_or_refused,
    strategies.judgements_fit_the_options,
    strategies.proven_players_make_no_mistakes,
    optimal.judgements_are_those_of_optimal_play,
    optimal.optimal_players_are_not_beaten,
    values.references_are_not_beaten,
    questions.solutions_are_accepted,
    questions.solutions_of_many_are_accepted,
    shapes.answers_have_the_declared_shape,
    questions.blanks_around_a_solution_do_not_matter,
    questions.nothing_is_added_to_a_solution,
    questions.checkers_survive_anything,
    questions.nonsense_is_not_accepted,
    questions.guesses_are_not_all_accepted,
    questions.guesses_can_be_wrong,
    questions.solutions_are_not_given_away,
    worked.processes_leave_out_the_start,
    worked.every_rule_is_used,
    tasks.state_tasks_show_their_puzzle,
    tasks.labels_are_not_told,
)


def check(
    puzzle: type[Puzzle],
    levels: Iterable[str] | None = None,
    *,
    seeds: Sequence[int] = range(3),
    draws: Draws = FEW_DRAWS,
) -> list[Violation]:
    """Return all distinct violations of `puzzle`; each says how many checks and levels it
    concerns.
    """
    return distinct(violations(puzzle, levels, seeds=seeds, draws=draws))


def violations(
    puzzle: type[Puzzle],
    levels: Iterable[str] | None = None,
    *,
    seeds: Sequence[int] = range(3),
    draws: Draws = FEW_DRAWS,
    tell: Tell = tell_nobody,
) -> Iterator[Violation]:
    """Yield each violation of `puzzle` as it is found, one per failed check and level.

    `tell` is told how far the drawing of many instances is.
    """
    if inspect.isabstract(puzzle):
        missing = ", ".join(sorted(puzzle.__abstractmethods__))
        sentence = f"it does not define: {missing}"
        yield Violation(name_of(puzzle), "", "hooks_are_defined", sentence, name_of(puzzle))
        return
    with registry.registered(puzzle):
        for level in levels or puzzle.levels or ("none",):
            found = list(violations_of(Case.of(puzzle, level, seeds, draws, tell)))
            yield from found
            if not found:  # tasks on a broken puzzle would only repeat what is wrong with it
                for case in tasks.task_cases(puzzle, level, seeds, draws, tell):
                    yield from violations_of(case)


def violations_of(case: Case) -> Iterator[Violation]:
    """The violations of one level of a puzzle, or of one wrapped puzzle."""
    try:
        case.positions()
    except EndlessMatch as reason:  # no other check can run on a game that never ends
        yield Violation(case.name, case.level, "matches_end", str(reason))
        return
    except Exception:  # reported below by the check that it fails
        pass
    alone = {seed: replace(case, seeds=(seed,)) for seed in case.seeds}
    for invariant in INVARIANTS:
        if sentence := _first(invariant, case):
            failing = (seed for seed, one in alone.items() if _first(invariant, one))
            # The first of all where no instance fails the check by itself.
            place = case.name if task_of(case.puzzle) else f"{case.name}/{case.level}"
            spec = f"{place}#{next(failing, case.seeds[0])}"
            yield Violation(case.name, case.level, invariant.__name__, sentence, spec)
            if invariant in FIRST:
                return


def _first(invariant: Invariant, case: Case) -> str:
    """Return the first complaint of a check, which may be about an unexpected exception."""
    try:
        return next(invariant(case), "")
    except Exception as reason:
        return raised(reason, case.puzzle)
