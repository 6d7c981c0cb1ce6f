"""BEAM (2025, https://arxiv.org/abs/2510.27246; taken as CC BY-SA 4.0): long chats with an assistant, ten sorts of
questions with the messages that hold their evidence.

The clock is the data's: a batch has one date, on its first message, which all that follow inherit until the next. It
has no zone and is read as UTC. A session is a batch. User and assistant are told apart by `speaker`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from workbench.evaluate.conversation import Conversation, Loaded, RetrievalQuestion, duplicates
from workbench.evaluate.data import need_files, read_rows
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.errors import UsageError
from workbench.model.time import Instant

DATASET: Final = "beam"
USER: Final = "user"
UPDATE: Final = ("original_info", "updated_info")
CONTRADICTION: Final = ("first_statement", "second_statement")
ABSTENTION: Final = "abstention"
# the plan's number of a message, left in its text by those who made the data
_PLAN_MARK: Final = re.compile(r"\s*->->[\s\d,./NA]*\Z")
_MONTHS: Final = {name: number for number, name in enumerate(
    "january february march april may june july august september october november december".split(), start=1)}


def load(data: Path | None = None) -> Loaded:
    """The chats of all BEAM files of the folder, one a line.

    Raises:
        UsageError: the files are missing or damaged.
    """
    files = need_files(data, DATASET, "beam*.jsonl*")
    counts: Counter[str] = Counter(dangling=0)
    found = [conversation(row, counts) for path in files for row in read_rows(path)]
    questions = [question for one in found for question in one.questions]
    counts.update(questions=len(questions), without_gold=sum(not question.gold for question in questions),
                  duplicates=duplicates(questions), episodes=sum(len(one.episodes) for one in found),
                  user_turns=sum(episode.speaker == USER for one in found for episode in one.episodes))
    return Loaded(DATASET, found, files, counts, [
        "BEAM: no licence in its repository, taken as CC BY-SA 4.0",
        "a message has the date of its batch, without zone, read as UTC; the plan's numbers ('->-> 1,1') are cut off"])


def evidence(source: Any) -> tuple[tuple[int, ...], dict[str, tuple[int, ...]]]:
    """(all message numbers without repetition, those of each named part) of `source_chat_ids` in any of its forms.

    >>> evidence([4, 60, 4])
    ((4, 60), {})
    >>> evidence({"original_info": [86], "updated_info": [114]})
    ((86, 114), {'original_info': (86,), 'updated_info': (114,)})
    >>> evidence(None)
    ((), {})
    """
    if isinstance(source, Mapping):
        parts = {str(name): evidence(value)[0] for name, value in source.items()}
        return tuple(dict.fromkeys(number for part in parts.values() for number in part)), parts
    if isinstance(source, list):
        return tuple(dict.fromkeys(number for value in source for number in evidence(value)[0])), {}
    return (() if source is None else (int(source),)), {}


def anchor_time(text: str) -> Instant:
    """The first instant of a batch's day.

    >>> anchor_time("March-15-2024")
    Instant('2024-03-15T00:00:00Z')

    Raises:
        UsageError: another format.
    """
    month, _, rest = text.partition("-")
    day, _, year = rest.partition("-")
    if month.lower() not in _MONTHS or not (day.isdigit() and year.isdigit()):
        raise UsageError(f"BEAM: {text!r} is no time anchor such as 'March-15-2024'; is the file another?")
    return Instant.of(int(year), _MONTHS[month.lower()], int(day))


def conversation(row: Mapping[str, Any], counts: Counter[str]) -> Conversation:
    """One chat. Adds `dangling` evidence to the counts."""
    name = f"beam-{row['chat_id']}"
    episodes: list[Episode] = []
    at: Instant | None = None
    for batch in row["batches"]:
        if batch.get("time_anchor"):
            at = anchor_time(batch["time_anchor"])
        for turn in (turn for group in batch["turns"] for turn in group):
            at = anchor_time(turn["time_anchor"]) if turn.get("time_anchor") else at
            episodes.append(Episode(
                id=f"{name}/{turn['id']}", kind=EpisodeKind.MESSAGE, source=name,
                session=f"{name}/{batch['batch_number']}", speaker=turn["role"],
                text=_PLAN_MARK.sub("", turn["content"]), observed_at=at, zone_assumed=at is not None))
    session_of = {episode.id: str(episode.session) for episode in episodes}
    questions = tuple(_question(name, kind, number, item, session_of, at, counts)
                      for kind, items in row["probing_questions"].items() for number, item in enumerate(items))
    return Conversation(name, tuple(episodes), questions)


def _question(name: str, kind: str, number: int, item: Mapping[str, Any], session_of: Mapping[str, str],
              now: Instant | None, counts: Counter[str]) -> RetrievalQuestion:
    numbers, parts = evidence(item.get("source_chat_ids"))
    gold = tuple(full for one in numbers if (full := f"{name}/{one}") in session_of)
    counts.update(dangling=len(numbers) - len(gold))
    answer = next((item[field] for field in ("answer", "ideal_answer", "ideal_response", "ideal_summary")
                   if item.get(field) is not None), None)
    return RetrievalQuestion(
        id=f"{name}/{kind}/{number}", conversation=name, text=item["question"], type=kind, gold=gold,
        sessions=tuple(dict.fromkeys(session_of[one] for one in gold)), now=now, unanswerable=kind == ABSTENTION,
        parts={part: tuple(full for one in ids if (full := f"{name}/{one}") in session_of)
               for part, ids in parts.items()},
        answers=() if answer is None else (str(answer),))
