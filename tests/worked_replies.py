"""Replies to questions with worked answers, of every kind, and what becomes of them."""

from __future__ import annotations

from quandary.models.provider import Finish

IF, JS, SCORED = "no_json", "malformed_json", "scored"
REPLIES: dict[str, tuple[str, str, Finish]] = {  # text, what becomes of it, why it ended
    "empty": ("", IF, "stop"),
    "blank": (" \n\t ", IF, "stop"),
    "no JSON": ("The last value is 4.", IF, "stop"),
    "braces": ("The set {1, 2} has \\boxed{2} members.", IF, "stop"),
    "refused in words": ("I'm sorry, but I can't help with that.", IF, "stop"),
    "refused by the server": ("", IF, "refused"),
    "cut off": ("First, the tile moves to the", IF, "length"),
    "JSON only in thinking": ('<think>{"answer": ["4"]}</think>\nDone.', IF, "stop"),
    "broken JSON in thinking": ('<think>{"answer": [</think>\nDone.', IF, "stop"),
    "JSON in thinking that never ends": ('<think>so {"answer": ["4"]}', IF, "stop"),
    "a list without a fence": ('["4"]', IF, "stop"),
    "JSON that breaks off": ('```json\n{"answer": ["4"], "proc', JS, "length"),
    "an object that breaks off": ('So {"answer": ["4"], "process": ["2", ', JS, "length"),
    "a brace and no more": ("So:\n```\n{", JS, "length"),
    "a fence and no more": ("So:\n```json\n", JS, "length"),
    "a missing bracket": ('```json\n{"answer": ["4", "process": []}\n```', JS, "stop"),
    "trailing commas": ('```json\n{"answer": ["4",], "process": [],}\n```', JS, "stop"),
    "single quotes": ("{'answer': ['4'], 'process': []}", JS, "stop"),
    "no quotes": ("```json\n{answer: 4}\n```", JS, "stop"),
    "words in a JSON fence": ("```json\nanswer 4\n```", JS, "stop"),
    "NaN": ('{"answer": [NaN], "process": []}', JS, "stop"),
    "a key twice": ('{"answer": ["4"], "answer": ["5"]}', JS, "stop"),
    "nested deeply": ('{"answer": ' + "[" * 50 + "]" * 50 + "}", JS, "stop"),
    "a number of many digits": ('{"answer": [' + "9" * 6_000 + "]}", JS, "stop"),
    "a list in a JSON fence": ('```json\n["4"]\n```', SCORED, "stop"),
    "an empty object": ("{}", SCORED, "stop"),
    "wrong types": ('{"answer": 4, "process": {"a": [null, true]}}', SCORED, "stop"),
    "nothing": ('{"answer": null, "process": null}', SCORED, "stop"),
    "an infinite number": ('{"answer": [1e999], "process": [-1e999]}', SCORED, "stop"),
    "half a character": ('{"answer": ["\\ud800"], "process": ["\\udfff"]}', SCORED, "stop"),
    "two objects": ('{"answer": [} {"answer": ["x"], "process": ["x"]}', SCORED, "stop"),
    "an empty process": ('{"answer": ["x"], "process": []}', SCORED, "stop"),
    "no process": ('{"answer": ["x"]}', SCORED, "stop"),
}
HUGE: dict[str, tuple[str, str, Finish]] = {
    "a million characters": ("word " * 200_000, IF, "stop"),
    "nested far too deeply": ('{"answer": ' + "[" * 200_000, JS, "stop"),
    "a million characters of JSON": ('{"answer": ["' + "4" * 1_000_000 + '"]}', JS, "stop"),
    "a million objects": ('{"' * 500_000, JS, "stop"),
}
