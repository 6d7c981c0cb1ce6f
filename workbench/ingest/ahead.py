"""Extraction ahead of ingestion: several episodes at once, for programs that wait for a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice

from workbench.ingest.pipeline import TURNS, Pipeline
from workbench.ingest.seam import Context, Extraction
from workbench.model.episode import Episode
from workbench.model.errors import BudgetSpent, EpisodeError, ModelRefused, UsageError

Ready = Extraction | EpisodeError | BudgetSpent | ModelRefused | None


def ahead(pipeline: Pipeline, episodes: Iterable[Episode], parallel: int, *, force: bool = False
          ) -> Iterator[tuple[Episode, Ready]]:
    """The episodes in order, each with what the extractor made of it, or why it could not; None = not extracted yet.

    They are read in rounds of `parallel`, and no more of them are held in memory. All of a round see what the store
    knows before the round, and the earlier turns of their session, those of the round included; so the outcome depends
    on `parallel`, but not on which thread is faster.

    Raises:
        UsageError: `parallel` is less than 1.
    """
    if parallel < 1:
        raise UsageError(f"{parallel} episodes cannot be extracted at once; give 1 or more")
    if parallel == 1 or pipeline.extractor is None:
        yield from ((episode, None) for episode in episodes)
        return
    waiting = iter(episodes)
    pool = ThreadPoolExecutor(parallel, thread_name_prefix="extract")
    try:
        while batch := list(islice(waiting, parallel)):
            contexts = _contexts(pipeline, batch, force)
            jobs = {number: pool.submit(_extracted, pipeline, batch[number], context)
                    for number, context in contexts.items()}
            made = {number: job.result() for number, job in jobs.items()}
            for number, episode in enumerate(batch):
                yield episode, made.pop(number, None)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _contexts(pipeline: Pipeline, batch: Sequence[Episode], force: bool) -> dict[int, Context]:
    """By place in the batch, the contexts of the episodes that can be extracted ahead: not those that others of the
    batch decide about (the same id again, after a curation), nor those without a time of their own."""
    found: dict[int, Context] = {}
    ids: set[str] = set()
    for number, episode in enumerate(batch):
        if episode.action is not None:
            break
        if episode.observed_at is not None and episode.id not in ids and pipeline.extracts(episode, force=force):
            context = pipeline.context(episode)
            turns = [turn for turn in batch[:number] if turn.session == episode.session] if episode.session else []
            found[number] = replace(context, earlier=(*context.earlier, *turns)[-TURNS:])
        ids.add(episode.id)
    return found


def _extracted(pipeline: Pipeline, episode: Episode, context: Context) -> Ready:
    assert pipeline.extractor is not None
    try:
        return pipeline.extracted(episode, pipeline.extractor, context)
    except (EpisodeError, BudgetSpent, ModelRefused) as error:
        return error
