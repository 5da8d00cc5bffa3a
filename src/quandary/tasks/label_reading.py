"""Reads the label that an answer gives: solvable, unsolvable, or neither clearly.

A label counts if its clause is made of words listed here, as in "so the position is unsolvable".
Any other word may deny it or speak of something else ("It can't be unsolvable", "The tried position
is unsolvable"), and leaves it unread.  What other clauses deny does not matter ("There is no
contradiction, so it is solvable"), unless a later one takes the label back: "On the contrary".
Both labels are read in the same clauses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, field

from quandary.core.late_pattern import late_pattern

LONGEST = 5_000  # characters of an answer that is read: an essay is no label


def _words(text: str) -> frozenset[str]:
    """Return the words of a list, in which "_" stands for a blank."""
    return frozenset(word.replace("_", " ") for word in text.split())


# Words that may begin a clause which does not depend on what is before the comma.
SUBJECTS = _words("""
    it it's this the i i'm we my our which and_it and_it's and_this and_the i_choose OPINION
    它 这 这个 此 该 当前 目前 现在 本题 原题 题目 问题 局面 盘面 棋盘 状态 谜题 数独 迷宫 游戏 图
    答案 结论 结果 回答 判断 我 我们
""")
CONCLUSIONS = _words("""
    so hence thus therefore consequently
    所以 因此 因而 故 于是 从而 综上 综上所述 由此 由此可见 可见 可知 总之
""")
CONTRASTS = _words("but yet however 但 但是 可是 然而 不过 其实 而是 后来")
REASONS = _words("because since as although though while whereas")
VERBS = _words("is it's be remains stays makes making leaves leaving i_choose")
# They are weaker than "is": a later clause may say otherwise.
HEDGES = _words("""
    seem seems look looks appear appears probably presumably likely most_likely very_likely should
    guess
    看起来 看来 看似 似乎 好像 大概 应该
""")
NOUNS = _words("""
    position state puzzle board grid graph game problem sudoku maze configuration arrangement layout
    situation instance task challenge answer response verdict conclusion judgement judgment
    assessment classification decision choice vote opinion view result output status label word
    reasoning rules move moves step steps moment dead_end one
    题 道 任务 选项 标签 输出 决定 评估 理由 步 规则 死局
""")
ADVERBS = _words("""
    also now here currently overall finally ultimately indeed still clearly definitely certainly
    surely obviously evidently plainly simply fully completely perfectly absolutely undoubtedly
    undeniably fortunately unfortunately actually really truly fairly quite yes
    no_doubt without_doubt without_a_doubt without_any_doubt beyond_doubt in_short in_summary
    in_fact in_the_end at_this_point as_it_stands as_it_is as_given as_a_result easy_to_see
    也 仍 仍然 还 依然 依旧 确实 的确 显然 明显 一定 必然 必定 肯定 绝对 完全 无疑 毫无疑问 毋庸置疑
    不难看出 最终 最后 此时 实际上 事实上 也就是说 总的来说 即 已 已经 并
""")
OTHERS = _words("""
    x its a an and that there of in on from at with after by for current given present final correct
    right true sure certain confident am are must has have has_to to_be found called considered
    can_be_considered deemed judged labelled means shows proves confirms follows implies
    是 的 为 了 个 一个 这里 从 出发 原 给定 正确 得到 得出 得知 推断 推出 看出 发现 认为 相信 确信
    确定 知道 断定 判定 可以说 可以断定 可以看出 可以看到 可以得出 可以认为 选 选择 应 应当 属于
    处于 成 说明 表明 意味着 根据 经过 分析 检查 答
""")
PLAIN = SUBJECTS | CONCLUSIONS | CONTRASTS | VERBS | HEDGES | NOUNS | ADVERBS | OTHERS
OPINION = r"""\b(?:i|we)(?:'d|'ll|\s+(?:would|can|must|now|also|therefore|thus))*\s+
    (?:say|think|believe|conclude|find|see|know|judge|call|consider|answer|go\s+(?:with|for))\b"""
# They reach over a comma: "If 4 goes first, it is solvable", "I doubt, frankly, it is solvable".
GOVERNING = _words("""
    that if unless whether when once without otherwise suppose assuming given_that
    doubt deny think believe say claim
    如果 若 假如 假设 要是 倘若 除非 只要 只有 一旦 当 否则 怀疑 说
""")
# A later clause without a label takes the label back in four ways (see `Clause.takes_back`), unless
# it gives a reason ("because row 2 is wrong").  First, if it says the reverse ("On the contrary").
REVERSING = _words("""
    opposite contrary reverse reversed backwards vice_versa other_way_around other_way_round
    other_one other_label other_word other_answer far_from_it not_so not_the_case nope scratch
    strike_that correction correct_myself kidding joking oops illusion illusory mirage deceive
    deceives deceiving deceptive misleading appearances ignore_that disregard forget_that forget_it
    retract withdraw take_that_back take_it_back changed_my_mind my_mistake my_error my_bad
    that_fails this_fails not_what not_hold doesn't_hold shows_otherwise proves_otherwise
    reveals_otherwise suggests_otherwise
    相反 反过来 反了 说反 搞反 弄反 并非如此 绝非如此 不是这样 不是这么回事 不是那么回事 另一回事
    错觉 假象 幻觉 更正 纠正 收回 撤回 改口 口误 笔误 失误 开玩笑 搞错 弄错 看错 说错 算错 想错
""")
# Second, if it points to the label and finds fault with it ("That claim is false").
POINTING = _words("""
    that that's this which it it's i my such answer verdict conclusion judgement judgment claim
    statement label assessment
    这 这个 那 此 该 我 刚才 刚刚 上面 以上 前面 之前 上述 结论 答案 判断 推理 回答 说法
""")
RETRACTING = _words("""
    false wrong untrue incorrect mistaken mistake error erred misread misjudged doubt disagree
    not_true not_right not_correct
    错 错误 假 有误 有问题 不对 不成立 不正确 不实 怀疑 不信 不同意 否认 才怪
""")
# Third, if it is made of denials, fillers and plain words ("or not", "才不是").
DENYING = RETRACTING | _words("""
    no not or isn't don't can't cannot wait other_way
    不 否 非 不然 非也 未必 行不通 等等 等一下 慢着 另一个
""")
FILLERS = _words("""
    well just oh hmm all was were do did does sorry
    才 则 却 实则 事实 恰恰 正 好 仔细 看 这样 如此 吧 啊 呢 哦 可惜 抱歉 对不起
""")
# Fourth, after a hedge, if it turns to something else ("It looks solvable, but row 2 is full").
TURNING = CONTRASTS | _words("in_reality though although 实则 却 只是")
JUSTIFYING = _words("because since as for 因为 由于 毕竟")
# They contain words that usually take a label back, but take nothing back.
HARMLESS = _words("""
    no_mistake no_mistakes no_error no_errors no_correction from_scratch opposite_corner
    opposite_corners opposite_side opposite_sides opposite_end opposite_direction reverse_order
    没错 没有错 没有错误 没有看错 没看错 没有算错 没算错 没有搞错 没搞错 没有失误
    没问题 没有问题 相反方向 相反的方向
""")
TAKING_BACK = REVERSING | POINTING | DENYING | FILLERS | TURNING | JUSTIFYING | HARMLESS
# An English clause may begin with these after no comma; a Chinese one has its comma.
OPENING = frozenset(filter(str.isascii, CONCLUSIONS | CONTRASTS | REASONS))

LETTER = r"[^\W\d_一-鿿]"
LONGEST_FIRST = sorted(PLAIN | GOVERNING | TAKING_BACK, key=len, reverse=True)
ENGLISH_PHRASES = "|".join(
    phrase.replace(" ", r"\s+") for phrase in LONGEST_FIRST if " " in phrase and phrase.isascii()
)
CHINESE_PHRASES = "|".join(phrase for phrase in LONGEST_FIRST if not phrase.isascii())
PHRASES = rf"\b(?:{ENGLISH_PHRASES})\b|{CHINESE_PHRASES}"
# A number behind a label may be another answer, or its truth.
AFTER = r"""(?![a-z\d释析性答决]|[\s:="']*\d)"""
ENGLISH = r"(?<![a-z])(?<![a-z]-)"
UNSOLVABLE = rf"""(?:{ENGLISH}unsolvable|(?:没有?|无|不存在)解|解不出来?
    |(?:不可以|不可能|不可|不能够?|无法|没办?法)解(?:出来?|开)?){AFTER}"""
SOLVABLE = rf"""(?:{ENGLISH}solvable|(?:有|存在)解|解得出来?
    |(?:可以|可|能够?|有办?法)解(?:出来?|开)?){AFTER}"""
INSTEAD = r"(?:rather\s+than|instead\s+of|而不是|并不是|不是|并非|而非)"
# Questions in Chinese; "one step from solvable", "the solvable one"; "To be ..."; denying signs.
UNCLEAR = r"""能不能|可不可|有没有|有无|是否|能否
    |\b(?:from|of|by|with|after|for|at|on|to|the)\s+(?:(?:an?|the)\s+)?(?:un)?solvable
    |(?<![a-z]\s)\bto\s+be\b|!(?=[\w="'])|~~|[≠¬%✗✘❌]"""
MARK = (
    r"(?:\boption\s+)?\(?\b[ab](?:\)|:)"  # of the published questions: (A) solvable, (B) unsolvable
)
TAG = r"</?(?!(?:un)?solvable)[a-z]{1,20}>"  # tokens around answers, as <eoa>
TOKEN = late_pattern(
    rf"""(?P<UNCLEAR>{UNCLEAR})
    |(?:not|{INSTEAD})\s*(?P<NOT_UNSOLVABLE>{UNSOLVABLE})
    |{INSTEAD}\s*(?P<NOT_SOLVABLE>{SOLVABLE})
    |(?P<UNSOLVABLE>{UNSOLVABLE}|not[\s*_`]{{1,4}}solvable{AFTER})
    |(?P<SOLVABLE>{SOLVABLE})
    |(?P<OPINION>{OPINION})
    |{MARK}
    |(?P<question>[?？])
    |(?P<stop>[!;。！；…]|\.(?![^\s"'”’*_`)\]])|\n\s*\n)
    |(?P<comma>\n|(?:[,，、()（）—–]|(?<=\s)-+(?=\s))(?=\s*["'“*_`]*[^\W\d_]))
    |[:：][\s*_`]*|[a-z]*\d[a-z\d]*|{TAG}
    |(?P<word>{PHRASES}|[一-鿿]|{LETTER}+(?:'{LETTER}+)?)""",
    re.X,
)
# Groups of TOKEN are among the words; those of an answer are in lower case.
LABELS = {"SOLVABLE": True, "UNSOLVABLE": False}
DENIED = {"NOT_SOLVABLE": True, "NOT_UNSOLVABLE": False}
KNOWN = PLAIN | LABELS.keys() | DENIED.keys()
DENIALS = KNOWN | DENYING | GOVERNING | FILLERS | TURNING
LEADING = TURNING | CONCLUSIONS | ADVERBS | {"the", "and", "or"}


@dataclass
class Clause:
    """The words between two commas or stops, with their labels."""

    words: list[str] = field(default_factory=list)
    after_comma: bool = False

    def stands_alone(self, before: Set[str]) -> bool:
        """Return whether it means the same without the words before it in its sentence."""
        first = self.words[0]
        is_whole = not VERBS.isdisjoint(self.words) or not first.isascii()
        if first in CONCLUSIONS:
            return is_whole or self.after_comma
        return is_whole and (
            first in CONTRASTS or (first in SUBJECTS and GOVERNING.isdisjoint(before))
        )

    def takes_back(self, hedged: bool) -> bool:
        """Return whether it denies the label before it, which was hedged or not."""
        first = self.words[0]
        if first in JUSTIFYING:
            return False
        if not REVERSING.isdisjoint(self.words) or (hedged and first in TURNING):
            return True
        subject = next((word for word in self.words if word not in LEADING), first)
        points = subject in POINTING and not RETRACTING.isdisjoint(self.words)
        return points or (not DENYING.isdisjoint(self.words) and DENIALS.issuperset(self.words))


def read_label(answer: str) -> bool | None:
    """Return True for solvable, False for unsolvable, None if neither is clearly given."""
    label: bool | None = None
    hedged = False
    firm = set[bool]()  # labels that nothing else in the answer may contradict
    for sentence in _sentences(answer.casefold().replace("’", "'")):
        before = set[str]()
        for clause in sentence:
            own = set(clause.words)
            received = own if clause.stands_alone(before) else before
            before |= own
            firm |= {not DENIED[word] for word in DENIED if word in own}
            if not LABELS.keys().isdisjoint(own):
                labels = [LABELS[word] for word in LABELS if word in received]
                label = labels[0] if len(labels) == 1 and received <= KNOWN else None
                hedged = not HEDGES.isdisjoint(received)
                firm |= {label} if label is not None and not hedged else set()
            elif clause.takes_back(hedged):
                label = None
    return label if firm <= {label} else None


def _sentences(answer: str) -> Iterator[list[Clause]]:
    """Yield sentences as clauses that have words, without numbers and signs."""
    clauses = [Clause()]
    for token in TOKEN.finditer(answer):
        kind, words = token.lastgroup, clauses[-1].words
        if kind == "comma":
            clauses.append(Clause(after_comma=True))
        elif kind in ("question", "stop"):
            asked = ["?"] if kind == "question" else []
            yield [Clause(one.words + asked, one.after_comma) for one in clauses if one.words]
            clauses = [Clause()]
        elif kind:
            word = " ".join(token[0].split()) if kind == "word" else kind
            if word in OPENING and words:
                clauses.append(Clause())
            clauses[-1].words.append(word)
    yield [one for one in clauses if one.words]
