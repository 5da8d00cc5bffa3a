"""Refusals, recognised by their first words."""

from __future__ import annotations

import re

REFUSED = re.compile(
    r"""\W{0,9}(?:unfortunately,?\ )?
    (?P<sorry>(?:i\ am|i['’]m|we['’]re)?\ ?(?:very\ |really\ |so\ )?sorry|i\ apologi[sz]e|抱歉
    |很抱歉|非常抱歉|对不起)?
    [,.，。！]?\ ?(?:but\ |但是?)?(?:unfortunately,?\ )?
    (?:as\ an?\ (?:[a-z-]{1,20}\ ){0,4}?(?:ai|model|assistant)(?:\ model)?,?[ ]
    |作为[^，。\n]{1,20}，)?
    (?:(?:i|we)\ (?P<flatly>(?:must\ |have\ to\ )?(?:refuse|decline)\b)
    |(?:(?:i|we)\ (?:can(?:not|\ not|['’]t)|(?:won['’]t|will\ not)(?:\ be\ able\ to)?
    |do(?:\ not|n['’]t)(?=\ (?:play|feel\ comf)))
    |(?:i\ am|i['’]m|we\ are|we['’]re)\ (?:unable|not\ able|not\ going)\ to)
    (?:\ (?P<service>[a-z]{1,20})\b|(?P<short>[.!]|\s{0,99}\Z))
    |(?P<chinese>我(?:无法|不能|不会)))""",
    re.I | re.X,
)
SERVICES = {
    "assist", "help", "comply", "provide", "answer", "fulfill", "fulfil", "play",
    "continue", "participate", "engage", "do", "feel",
}  # fmt: skip
SORRY = re.compile(
    r"\W{0,9}(?:unfortunately,|(?:(?:i\ am|i['’]m|we['’]re)\ )?(?:very\ "
    r"|so\ )?sorry,|i\ apologi[sz]e)\ \w",
    re.I | re.X,
)
MOVE = re.compile(r"""\ ["'“‘`*(\[{]{0,3}\d""")  # what is refused is a move, not the game
GOES_ON = re.compile(
    r"""\b(?:(?:here(?:\ is|['’]s)\ (?:the|my|an?)|my)\ (?:[a-z]{1,12}\ )?(?:guess|answer|move
    |attempt|solution|try|operation)
    |(?:i|we)(?:['’]ll|\ will|\ would)?\ (?:instead\ )?(?:play|guess|choose|take|pick|select
    |go\ with|say))\b""",
    re.I | re.X,
)
SENTENCE_END = re.compile(r"[.,;:!?。，\n]")


def excuses(said: str) -> bool:
    """Whether it begins with words of a refusal or a regret, though it may go on."""
    return bool(REFUSED.match(said.lstrip()) or SORRY.match(said))


def refuses(said: str) -> bool:
    """Whether it begins with a refusal to answer at all, and no answer is announced after it."""
    said = said.lstrip()
    words = REFUSED.match(said)
    if not words or MOVE.match(said, words.end()):
        return False
    after = SENTENCE_END.search(said, words.end())
    if after and GOES_ON.search(said, after.end()):
        return False
    return (
        any(words[kind] for kind in ("sorry", "flatly", "chinese"))
        or not words["service"]
        or words["service"].lower() in SERVICES
    )
