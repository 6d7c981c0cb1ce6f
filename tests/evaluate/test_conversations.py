"""The loaders of retrieval data, on rows made up in the form of each."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from workbench.evaluate import beam, locomo, longmemeval, timeqa
from workbench.evaluate.conversation import duplicates
from workbench.model.episode import EpisodeKind
from workbench.model.errors import UsageError
from workbench.model.time import Instant


def chat() -> dict[str, Any]:
    return {
        "sample_id": "conv-x",
        "conversation": {
            "speaker_a": "Ann", "speaker_b": "Bo",
            "session_10_date_time": "12:05 am on 1 June, 2023",
            "session_10": [{"speaker": "Bo", "dia_id": "D10:1", "text": "I moved."}],
            "session_2_date_time": "12:30 pm on 8 May, 2023",
            "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a photo of a lake"},
                          {"speaker": "Bo", "dia_id": "D2:2", "text": "Nice."}],
            "session_11_date_time": "1:00 pm on 9 July, 2023",
        },
        "qa": [
            {"question": "What did Ann show?", "answer": 3, "evidence": ["D2:1"], "category": 4},
            {"question": "What did Ann show? ", "evidence": ["D2:01; D10:1", "D7:7", "D"], "category": 1},
            {"question": "Why did Ann move?", "adversarial_answer": "no", "evidence": ["D10:1"], "category": 5},
        ],
    }


def test_locomo_turns_are_episodes_in_order_of_the_sessions() -> None:
    found = locomo.conversation(chat(), {}, Counter())
    assert [(one.id, one.session, one.speaker, one.text) for one in found.episodes] == [
        ("conv-x/D2:1", "conv-x/session_2", "Ann", "Look!\na photo of a lake"),
        ("conv-x/D2:2", "conv-x/session_2", "Bo", "Nice."), ("conv-x/D10:1", "conv-x/session_10", "Bo", "I moved.")]
    assert {(one.kind, one.source, one.zone_assumed) for one in found.episodes} \
        == {(EpisodeKind.MESSAGE, "conv-x", True)}
    assert [one.observed_at for one in found.episodes] == [Instant.of(2023, 5, 8, 12, 30)] * 2 \
        + [Instant.of(2023, 6, 1, 0, 5)]


def test_locomo_evidence_is_normalised_and_counted() -> None:
    counts: Counter[str] = Counter()
    first, second, third = locomo.conversation(chat(), {}, counts).questions
    assert second.gold == ("conv-x/D2:1", "conv-x/D10:1")
    assert second.sessions == ("conv-x/session_2", "conv-x/session_10")
    assert (counts["malformed"], counts["dangling"], duplicates([first, second, third])) == (2, 1, 1)
    assert (first.type, first.answers, third.type) == ("4", ("3",), "5")
    assert [one.unanswerable for one in (first, second, third)] == [False, False, True]
    assert third.now == Instant.of(2023, 6, 1, 0, 5) and third.answers == ()


def test_locomo_an_audit_is_laid_over_and_changes_nothing_as_published() -> None:
    fault = {"error_type": "WRONG_CITATION", "correct_evidence": ["D2:2"]}
    unusable = {"error_type": "AMBIGUOUS", "correct_evidence": []}
    first, _, third = locomo.conversation(
        chat(), {(0, "What did Ann show?"): fault, (2, "Why did Ann move?"): unusable}, Counter()).questions
    assert (first.gold, first.audited, first.fault) == (("conv-x/D2:1",), ("conv-x/D2:2",), "WRONG_CITATION")
    assert (third.gold, third.audited, third.fault) == (("conv-x/D10:1",), ("conv-x/D10:1",), "AMBIGUOUS")


def test_locomo_files_and_audit_are_found_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo" / "locomo10.json").write_text(json.dumps([chat()]))
    assert any("no audit_errors" in note for note in locomo.load(tmp_path).notes)
    (tmp_path / "locomo" / "audit_errors.json").write_text(json.dumps([
        {"question_id": "locomo_0_qa0", "question": "What did Ann show?", "error_type": "X", "correct_evidence": []}]))
    found = locomo.load(tmp_path)
    assert (found.counts["questions"], found.counts["audited"], found.counts["episodes"]) == (3, 1, 3)
    assert len(found.files) == 2 and len(found.questions) == 3


@pytest.mark.parametrize("text", ["", "8 May 2023", "1:56 pm on 8 Mai, 2023"])
def test_other_clocks_are_refused(text: str) -> None:
    for read in (locomo.session_time, beam.anchor_time, longmemeval.item_time):
        with pytest.raises(UsageError, match="is the file another"):
            read(text)


def plan() -> dict[str, Any]:
    return {
        "chat_id": 7,
        "batches": [
            {"batch_number": 1, "time_anchor": None, "turns": [
                [{"role": "user", "id": 0, "time_anchor": "March-15-2024", "content": "I use Flask. ->-> 1,1"},
                 {"role": "assistant", "id": 1, "content": "Good."}]]},
            {"batch_number": 2, "turns": [[{"role": "user", "id": 2, "time_anchor": "April-01-2024",
                                            "content": "a ->-> b ->-> 2,N/A"}]]}],
        "probing_questions": {
            "abstention": [{"question": "Which cat?", "ideal_response": "None is named."}],
            "event_ordering": [{"question": "Order?", "answer": "x", "source_chat_ids": [2, 0, 2, 99]}],
            "knowledge_update": [
                {"question": "Which?", "source_chat_ids": {"original_info": [0], "updated_info": [2]}}],
        },
    }


def test_beam_messages_inherit_the_date_of_their_batch_and_lose_the_mark_of_the_plan() -> None:
    found = beam.conversation(plan(), Counter())
    assert [(one.id, one.session, one.speaker, one.text, one.observed_at) for one in found.episodes] == [
        ("beam-7/0", "beam-7/1", "user", "I use Flask.", Instant.of(2024, 3, 15)),
        ("beam-7/1", "beam-7/1", "assistant", "Good.", Instant.of(2024, 3, 15)),
        ("beam-7/2", "beam-7/2", "user", "a ->-> b", Instant.of(2024, 4, 1))]


def test_beam_evidence_of_every_form() -> None:
    counts: Counter[str] = Counter()
    abstention, ordering, update = beam.conversation(plan(), counts).questions
    assert (abstention.gold, abstention.unanswerable, abstention.answers) == ((), True, ("None is named.",))
    assert (ordering.gold, ordering.sessions) == (("beam-7/2", "beam-7/0"), ("beam-7/2", "beam-7/1"))
    assert update.gold == ("beam-7/0", "beam-7/2") and not update.unanswerable
    assert [update.parts[name] for name in beam.UPDATE] == [("beam-7/0",), ("beam-7/2",)]
    assert counts["dangling"] == 1 and update.now == Instant.of(2024, 4, 1)


def item() -> dict[str, Any]:
    return {
        "question_id": "q1_abs", "question_type": "multi-session", "question": "How many?", "answer": 2,
        "question_date": "2023/05/30 (Tue) 06:47", "answer_session_ids": ["late", "early"],
        "haystack_session_ids": ["late", "early", "early"],
        "haystack_dates": ["2023/05/30 (Tue) 07:17", "2023/05/02 (Tue) 10:00", "2023/05/01 (Mon) 10:00"],
        "haystack_sessions": [[{"role": "user", "content": "Two.", "has_answer": True}],
                              [{"role": "user", "content": "One.", "has_answer": True},
                               {"role": "assistant", "content": "I see."}],
                              [{"role": "user", "content": "Hello."}]],
    }


def test_longmemeval_sessions_are_in_order_of_time_with_ids_of_their_own() -> None:
    counts: Counter[str] = Counter()
    found = longmemeval.conversation(item(), counts)
    assert [one.id for one in found.episodes] == [
        "q1_abs/early/0", "q1_abs/early#2/0", "q1_abs/early#2/1", "q1_abs/late/0"]
    question, = found.questions
    assert question.gold == ("q1_abs/early#2/0", "q1_abs/late/0") and question.unanswerable
    assert question.sessions == ("q1_abs/early", "q1_abs/early#2", "q1_abs/late")
    assert question.now == Instant.of(2023, 5, 30, 6, 47) and counts["later_gold_sessions"] == 1


def test_longmemeval_later_sessions_can_be_left_out_and_are_counted_all_the_same() -> None:
    counts: Counter[str] = Counter()
    question, = longmemeval.conversation(item(), counts, later_sessions=False).questions
    assert question.gold == ("q1_abs/early#2/0",) and counts["later_gold_sessions"] == 1


def test_timeqa_paragraphs_keep_their_numbers() -> None:
    row = {"index": "/wiki/X#P1", "type": "P1", "paras": ["X .", " ", "X was Y ."], "questions": [
        ["What was X in 1990?", [{"para": 2, "from": 6, "end": 7, "answer": "Y"}, {"para": 2, "answer": "Z"}]],
        ["What was X in 1800?", [{"para": 0, "from": 0, "end": 0, "answer": ""}]]]}
    found = timeqa.conversation(row, Counter())
    assert [one.id for one in found.episodes] == ["/wiki/X#P1/0", "/wiki/X#P1/2"]
    answered, unanswerable = found.questions
    assert (answered.gold, answered.answers, answered.unanswerable) == (("/wiki/X#P1/2",), ("Y", "Z"), False)
    assert (unanswerable.gold, unanswerable.sessions, unanswerable.unanswerable) == ((), (), True)


@pytest.mark.parametrize("module", [locomo, beam, longmemeval, timeqa])
def test_shared_data_load_with_unique_ids_and_gold_that_is_there(shared_data: Path, module: Any) -> None:
    try:
        found = module.load(shared_data)
    except UsageError as error:
        pytest.skip(str(error))
    ids = [episode.id for one in found.conversations for episode in one.episodes]
    questions = found.questions
    assert len(ids) == len(set(ids)) and len(questions) == len({question.id for question in questions})
    assert {one for question in questions for one in question.gold} <= set(ids)
    assert found.counts["questions"] == len(questions) > 0
