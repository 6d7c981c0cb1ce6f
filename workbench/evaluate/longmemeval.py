"""LongMemEval (Wu et al. 2024, MIT): one question an item, asked at a stated time of some fifty sessions with an
assistant. The user downloads it; the cleaned release of 2025 is meant.

The clock is the data's: session and question have a local time without zone, read as UTC. An item is a conversation of
its own. The gold turns are those marked `has_answer`, the gold sessions are `answer_session_ids`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from workbench.evaluate.conversation import Conversation, Loaded, RetrievalQuestion
from workbench.evaluate.data import need_files, read_rows
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.errors import UsageError
from workbench.model.time import Instant

DATASET: Final = "longmemeval"
_ABSTENTION: Final = "_abs"
_WHEN: Final = re.compile(r"(\d{4})/(\d{2})/(\d{2})(?: \(\w+\))?(?: (\d{1,2}):(\d{2}))?")


def load(data: Path | None = None, later_sessions: bool = True) -> Loaded:
    """The items of all LongMemEval files of the folder (`*longmemeval*.json`).

    Args:
        data: folder of the data sets, or None for `WORKBENCH_DATA`.
        later_sessions: keep sessions that are later than the question. Some gold sessions are, by a fault of the
            labels: without them such a question cannot be answered, with them it is answered from its future.

    Raises:
        UsageError: the files are missing or damaged.
    """
    files = need_files(data, DATASET, "*longmemeval*.json*")
    counts: Counter[str] = Counter(later_sessions=0, later_gold_sessions=0, dangling=0)
    found = [conversation(row, counts, later_sessions) for path in files for row in read_rows(path)]
    counts.update(questions=len(found), without_gold=sum(not one.questions[0].gold for one in found),
                  without_gold_session=sum(not one.questions[0].sessions for one in found),
                  episodes=sum(len(one.episodes) for one in found))
    return Loaded(DATASET, found, files, counts, [
        "LongMemEval is MIT; times have no zone and are read as UTC",
        f"sessions later than the question are {'kept' if later_sessions else 'left out'}"])


def item_time(text: str) -> Instant:
    """The instant of a session or question; without a time of day, the day's first.

    >>> item_time("2023/05/30 (Tue) 23:40")
    Instant('2023-05-30T23:40:00Z')

    Raises:
        UsageError: another format.
    """
    match = _WHEN.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"LongMemEval: {text!r} is no time such as '2023/05/30 (Tue) 23:40'; is the file another?")
    return Instant.of(*(int(part or 0) for part in match.groups()))


def conversation(row: Mapping[str, Any], counts: Counter[str], later_sessions: bool = True) -> Conversation:
    """One item, its sessions in order of time. Adds `dangling` and later sessions to the counts."""
    name, now = str(row["question_id"]), item_time(row["question_date"])
    answering = set(row.get("answer_session_ids") or ())
    listed = zip(row["haystack_session_ids"], map(item_time, row["haystack_dates"]), row["haystack_sessions"],
                 strict=True)
    episodes: list[Episode] = []
    gold: list[str] = []
    met: Counter[str] = Counter()
    sessions: dict[str, None] = {}
    for session, at, turns in sorted(listed, key=lambda one: one[1]):
        counts.update(later_sessions=at > now, later_gold_sessions=at > now and session in answering)
        if at > now and not later_sessions:
            continue
        met[session] += 1
        # a session may be listed twice; ids must not be
        full = f"{name}/{session}" if met[session] == 1 else f"{name}/{session}#{met[session]}"
        if session in answering:
            sessions[full] = None
        for number, turn in enumerate(turns):
            episodes.append(Episode(id=f"{full}/{number}", kind=EpisodeKind.MESSAGE, source=name, session=full,
                                    speaker=turn["role"], text=turn["content"], observed_at=at, zone_assumed=True))
            if turn.get("has_answer"):
                gold.append(episodes[-1].id)
    counts.update(dangling=len(answering - set(row["haystack_session_ids"])))
    question = RetrievalQuestion(
        id=name, conversation=name, text=row["question"], type=row["question_type"], gold=tuple(gold),
        sessions=tuple(sessions), now=now, unanswerable=name.endswith(_ABSTENTION), answers=(str(row["answer"]),))
    return Conversation(name, tuple(episodes), (question,))
