"""TimeQA, the part annotated by people (Chen et al. 2021, https://arxiv.org/abs/2108.06314, BSD-3; passages from
Wikipedia, CC BY-SA): which paragraph of a page answers a question about a time?

A page is a conversation of one session, a paragraph an episode. The data has no clock: `observed_at` and `now` are
None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from workbench.evaluate.conversation import Conversation, Loaded, RetrievalQuestion, duplicates
from workbench.evaluate.data import need_files, read_rows
from workbench.model.episode import Episode, EpisodeKind

DATASET: Final = "timeqa"


def load(data: Path | None = None) -> Loaded:
    """The pages of all `human_annotated_*.json` files of the folder.

    Raises:
        UsageError: the files are missing or damaged.
    """
    files = need_files(data, DATASET, "human_annotated_*.json*")
    counts: Counter[str] = Counter(dangling=0)
    found = [conversation(row, counts) for path in files for row in read_rows(path)]
    questions = [question for one in found for question in one.questions]
    counts.update(questions=len(questions), without_gold=sum(not question.gold for question in questions),
                  duplicates=duplicates(questions), episodes=sum(len(one.episodes) for one in found))
    return Loaded(DATASET, found, files, counts,
                  ["TimeQA is BSD-3, its passages CC BY-SA; paragraphs have no time of their own"])


def conversation(row: Mapping[str, Any], counts: Counter[str]) -> Conversation:
    """One page with one relation; the same page may recur with another. Adds `dangling` evidence to the counts."""
    name = str(row["index"])
    # blank paragraphs are left out, numbers are kept
    episodes = tuple(Episode(id=f"{name}/{number}", kind=EpisodeKind.TEXT, source=name, session=name, text=text)
                     for number, text in enumerate(row["paras"]) if text.strip())
    known = {episode.id for episode in episodes}
    questions = []
    for number, (text, answers) in enumerate(row["questions"]):
        given = [answer for answer in answers if answer.get("answer")]
        ids = tuple(dict.fromkeys(f"{name}/{answer['para']}" for answer in given))
        gold = tuple(one for one in ids if one in known)
        counts.update(dangling=len(ids) - len(gold))
        questions.append(RetrievalQuestion(
            id=f"{name}/{number}", conversation=name, text=text, type=str(row["type"]), gold=gold,
            sessions=(name,) if gold else (), unanswerable=not given,
            answers=tuple(dict.fromkeys(answer["answer"] for answer in given))))
    return Conversation(name, episodes, tuple(questions))
