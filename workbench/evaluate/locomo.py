"""LoCoMo (Maharana et al. 2024, CC BY-NC 4.0: to evaluate with, not to ship): ten long chats of two people.

The category of a question is its integer; the names in the paper are in another order than the data's numbers. The
clock is the data's: a session has one local time without a zone, which is read as UTC and given to each of its turns.
Images are their captions. An audit of the labels is laid over them where its file is there (`audit_errors.json`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from workbench.evaluate.conversation import Conversation, Loaded, RetrievalQuestion, duplicates
from workbench.evaluate.data import find_files, need_files, read_rows
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.errors import UsageError
from workbench.model.time import Instant

DATASET: Final = "locomo"
CATEGORIES: Final[Mapping[str, str]] = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop",
                                        "5": "adversarial"}
"""Names of the data's integers, as they are used, for reports only."""

_ADVERSARIAL: Final = 5
_SESSION: Final = re.compile(r"session_(\d+)")
_EVIDENCE: Final = re.compile(r"D:?0*(\d+):0*(\d+)")
_WELL_FORMED: Final = re.compile(r"D[1-9]\d*:[1-9]\d*")
_WHEN: Final = re.compile(r"(\d{1,2}):(\d{2}) ([ap])m on (\d{1,2}) (\w+), (\d{4})")
_MONTHS: Final = {name: number for number, name in enumerate(
    "january february march april may june july august september october november december".split(), start=1)}


def load(data: Path | None = None) -> Loaded:
    """The conversations of all LoCoMo files of the folder, with the audit laid over them where it is there.

    Raises:
        UsageError: the files are missing or damaged.
    """
    files = [path for path in need_files(data, DATASET, "locomo*.json*")]
    audit_files = find_files(data, DATASET, "audit_errors.json*")
    audit = {(_number(row["question_id"]), row["question"]): row for path in audit_files for row in read_rows(path)}
    counts: Counter[str] = Counter()
    found = [conversation(row, audit, counts) for path in files for row in read_rows(path)]
    questions = [question for one in found for question in one.questions]
    counts.update(questions=len(questions), without_gold=sum(not question.gold for question in questions),
                  duplicates=duplicates(questions), episodes=sum(len(one.episodes) for one in found),
                  audited=sum(question.fault is not None for question in questions))
    notes = ["LoCoMo is CC BY-NC 4.0: for evaluation, not for redistribution",
             "session times have no zone and are read as UTC; images are their captions"]
    if not audit_files:
        notes.append("no audit_errors.json: audited labels are those published")
    return Loaded(DATASET, found, [*files, *audit_files], counts, notes)


def _number(question_id: str) -> int:
    return int(question_id.rpartition("qa")[2])


def evidence_ids(evidence: Iterable[str]) -> tuple[tuple[str, ...], int]:
    """(dialogue ids without repetition, how many entries were not one well-formed id).

    >>> evidence_ids(["D1:3", "D8:6; D9:17", "D30:05", "D:11:26", "D"])
    (('D1:3', 'D8:6', 'D9:17', 'D30:5', 'D11:26'), 4)
    """
    entries = list(evidence)
    ids = dict.fromkeys(f"D{match[1]}:{match[2]}" for entry in entries for match in _EVIDENCE.finditer(entry))
    return tuple(ids), sum(_WELL_FORMED.fullmatch(entry) is None for entry in entries)


def session_time(text: str) -> Instant:
    """The instant of a session, its zoneless time read as UTC.

    >>> session_time("1:56 pm on 8 May, 2023")
    Instant('2023-05-08T13:56:00Z')

    Raises:
        UsageError: another format.
    """
    match = _WHEN.fullmatch(text.strip())
    if match is None or match[5].lower() not in _MONTHS:
        raise UsageError(f"LoCoMo: {text!r} is no session time such as '1:56 pm on 8 May, 2023'; is the file another?")
    hour = int(match[1]) % 12 + (12 if match[3] == "p" else 0)
    return Instant.of(int(match[6]), _MONTHS[match[5].lower()], int(match[4]), hour, int(match[2]))


def conversation(row: Mapping[str, Any], audit: Mapping[tuple[int, str], Mapping[str, Any]], counts: Counter[str]
                 ) -> Conversation:
    """One chat. Adds `dangling` and `malformed` evidence to the counts."""
    name, said = str(row["sample_id"]), row["conversation"]
    # some chats list times of sessions that they do not hold, so the sessions lead
    sessions = sorted((int(match[1]), key) for key, turns in said.items()
                      if (match := _SESSION.fullmatch(key)) and isinstance(turns, list))
    episodes = [_episode(name, key, turn, session_time(said[f"{key}_date_time"]))
                for _, key in sessions for turn in said[key]]
    session_of = {episode.id: str(episode.session) for episode in episodes}
    now = max((episode.observed_at for episode in episodes if episode.observed_at is not None), default=None)
    questions = []
    for number, item in enumerate(row["qa"]):
        gold, malformed, dangling = _gold(name, item.get("evidence") or [], session_of)
        counts.update(malformed=malformed, dangling=dangling)
        fault = audit.get((number, item["question"]))
        audited = None if fault is None else _gold(name, fault.get("correct_evidence") or [], session_of)[0]
        questions.append(RetrievalQuestion(
            id=f"{name}/qa{number}", conversation=name, text=item["question"], type=str(item["category"]), gold=gold,
            sessions=tuple(dict.fromkeys(session_of[one] for one in gold)), now=now,
            unanswerable=item["category"] == _ADVERSARIAL, audited=audited or (None if fault is None else gold),
            fault=None if fault is None else str(fault["error_type"]), answers=_answers(item)))
    return Conversation(name, tuple(episodes), tuple(questions))


def _episode(name: str, session: str, turn: Mapping[str, Any], at: Instant) -> Episode:
    caption = turn.get("blip_caption")
    return Episode(id=f"{name}/{turn['dia_id']}", kind=EpisodeKind.MESSAGE, source=name, session=f"{name}/{session}",
                   speaker=turn["speaker"], text=f"{turn['text']}\n{caption}" if caption else turn["text"],
                   observed_at=at, zone_assumed=True)


def _gold(name: str, evidence: Sequence[str], session_of: Mapping[str, str]) -> tuple[tuple[str, ...], int, int]:
    """(ids of episodes, malformed entries, ids that no turn has)."""
    ids, malformed = evidence_ids(evidence)
    found = tuple(full for one in ids if (full := f"{name}/{one}") in session_of)
    return found, malformed, len(ids) - len(found)


def _answers(item: Mapping[str, Any]) -> tuple[str, ...]:
    return (str(item["answer"]),) if item.get("answer") is not None else ()
