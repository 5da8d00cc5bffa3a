"""Known defects of published items, by the number of the item.

Readers find most of them by themselves; an item listed here is left out of scoring in any case.
"""

from __future__ import annotations

from .items import Pair

# Of both languages, by the number in the English file.
BOTH = {
    59: "the start cell and the number in it disagree, so that no selection fits",
    62: "more than one grid fits",
    63: "the rows have 8 and 10 cells",
    67: "the clues contradict each other",
    71: "more than one grid fits",
    85: "the process counts a letter that no rule scores",
    125: "no expression reaches the target",
    126: "it announces four numbers and gives three",
    154: "more than one grid fits",
    156: "it does not say which diagonal is meant, and no grid fits one with different letters",
    199: "three histories fit",
    217: "the answer lists fewer goods than there are",
    218: "the answer lists fewer goods than there are",
    219: "the answer lists fewer goods than there are",
    228: "one of its letters is not named",
    234: "more than one order fits",
    259: "a result is irrational",
    264: "more than one selection fits, or none under the rules as written",
    265: "more than one selection fits, or none under the rules as written",
    266: "more than one selection fits, or none under the rules as written",
    267: "more than one selection fits, or none under the rules as written",
    271: "the last round changes an earlier clue, so that nothing fits",
    283: "a row of the board is too short",
    291: "it announces 8 cards and four groups, and gives 7 cards",
}
ENGLISH = {
    10: "the numbers of instructions are glued to letters",
    14: "it cycles through three of four methods",
    15: "the answer lists 6 of 9 kinds of blocks",
    35: "the numbers of relations are glued to the relations",
    54: "the line breaks of the grid are lost",
    127: "it asks to round up to the target",
    149: "the stated number is not in the stated cell",
    159: "it asks for a diagonal of equal letters, which no grid has",
    195: "it asks for exactly one between, which no order has",
    213: "it names a good that does not exist",
    231: "its fourth condition has lost its meaning",
    235: "more than one order fits",
    249: "a line break is inside a number of the grid",
    301: "it defines max pooling and asks for average pooling",
}
CHINESE = {
    167: "it asks for different letters on the anti-diagonal, and 45 grids fit",
    272: "the table of the five elements has two typing errors",
    276: "the table of the five elements has two typing errors",
    280: "the table of the five elements has two typing errors",
}
# Pairs, by their English number, of which each item is sound but asks something else.
DIFFERENT = {
    2: "English has another word",
    31: "English asks for intermediate results, Chinese for the coefficients",
    91: "English inserts after a substring, Chinese before it",
    114: "English lost a letter of the string",
}
# Published references with a defect, in both languages, by the English number of their item.
REFERENCES = {94: "a blank is missing in its process"}


def defects(pair: Pair) -> dict[str, str]:
    """Return why an item of a pair has no key, by language; nothing for a sound one."""
    both = BOTH.get(pair.en.number, "")
    found = {
        "en": both or ENGLISH.get(pair.en.number, ""),
        "zh": both or CHINESE.get(pair.zh.number, ""),
    }
    return {language: why for language, why in found.items() if why}
