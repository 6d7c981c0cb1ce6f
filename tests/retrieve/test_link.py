"""Names in a question: the longest known ones, all entities of an ambiguous one, nothing learnt later."""

from __future__ import annotations

import pytest

from tests.retrieve.making import everything, recorded, retriever, said, store
from workbench import Workbench
from workbench.model.claim import Claim
from workbench.model.episode import Episode, EpisodeKind
from workbench.model.time import LATEST
from workbench.retrieve.link import link, unread


def names(wb: Workbench, text: str) -> list[tuple[str, list[str]]]:
    timeline = wb.graph.timeline
    return [(text[slice(*one.span)], [timeline.label(term) for term in one.terms])
            for one in link(wb.graph, text, LATEST)]


KNOWN = ("Ann", "Ann Lee", "New York", "C++", "Zoë", "北京大学", "스코프랩스", "O'Brien", "it", "Scope (Labs)",
         "St. John", "محمد")


@pytest.fixture(scope="module")
def wb() -> Workbench:
    return store([said(f"e{n}", "", n, Claim(name, "likes", "Tea")) for n, name in enumerate(KNOWN)])


@pytest.mark.parametrize(("text", "expected"), [
    ("Does Ann Lee like Ann?", ["Ann Lee", "Ann"]), ("ANN LEE's tea", ["Ann Lee", "Tea"]),
    ("in new  york!", ["New York"]),
    ("Is C++ old?", ["C++"]), ("zoe, ZOË", ["Zoë", "Zoë"]), ("我在北京大学学习", ["北京大学"]),
    ("스코프 랩스는 어디에", ["스코프랩스"]),
    ("(O’Brien's)", []), ("O'Brien's tea", ["O'Brien", "Tea"]), ("is it so?", []), ("Is It so?", ["it"]),
    ("at Scope (Labs).", ["Scope (Labs)"]), ("St. John", ["St. John"]), ("هل محمد هنا؟", ["محمد"]),
    ("", []), ("?!", []), ("Annabel", []),
])
def test_names_in_text(wb: Workbench, text: str, expected: list[str]) -> None:
    assert [label for _, labels in names(wb, text) for label in labels] == expected


def test_two_of_one_name_are_both_returned() -> None:
    """Fault 47."""
    with Workbench.open() as wb:
        wb.ingest([said("e0", "Jordan plays", 0, Claim("Jordan", "plays for", "Bulls", subject_type="person")),
                   said("e1", "Jordan lies in Asia", 1, Claim("Jordan", "lies in", "Asia", subject_type="place"))])
        mention, = link(wb.graph, "What of Jordan?", LATEST)
        assert len(mention.terms) == 2
        found = retriever(wb)
        result = found.retrieve("What of Jordan?", everything(), arms=["graph"])
        assert {one.hit.number for one in result.found if one.hit.kind == "fact"} == {0, 1}


def test_two_facts_and_two_episodes_of_one_text_are_both_returned() -> None:
    """Fault 47: items are told apart by number, never by text."""
    claims = [Claim("Ann", "visits", "Rome", valid_from=f"{year}-01-01", valid_to=f"{year}-02-01")
              for year in (2018, 2019)]
    with store([said("e0", "Ann was in Rome", 0, claims[0]), said("e1", "Ann was in Rome", 1, claims[1])]) as wb:
        found = retriever(wb)
        for arm in ("keyword", "semantic", "graph"):
            result = found.retrieve("Ann in Rome", everything(), arms=[arm])
            assert sorted((str(one.hit.kind), one.hit.number) for one in result.found) == [
                ("episode", 0), ("episode", 1), ("fact", 0), ("fact", 1)]


def test_names_are_known_from_when_they_were_learnt() -> None:
    with store([said("e0", "", 0, Claim("Ann", "likes", "Tea")), said("e1", "", 1, Claim("Bo", "likes", "Tea"))]) as wb:
        assert len(link(wb.graph, "Ann and Bo", recorded(0))) == 1
        assert len(link(wb.graph, "Ann and Bo", recorded(1))) == 2


def test_merged_entities_count_as_one_from_the_merge_on() -> None:
    with store([said("e0", "", 0, Claim("Ann", "likes", "Tea")), said("e1", "", 1, Claim("Anna", "likes", "Rum")),
                Episode("m", EpisodeKind.CURATION, action="merge", arguments={"entities": ["Ann", "Anna"]},
                        recorded_at=recorded(2))]) as wb:
        before, after = (link(wb.graph, "Ann Anna", recorded(day)) for day in (1, 2))
        assert before[0].terms != before[1].terms
        assert after[0].terms == after[1].terms
        found = retriever(wb)
        texts = [found.text(one.hit) for one in found.retrieve("Anna", everything(recorded(2)), arms=["graph"]).found]
        assert "Ann likes Tea" in texts and "Ann likes Rum" in texts


def test_only_the_beginning_of_a_very_long_question_is_linked(wb: Workbench) -> None:
    assert names(wb, "so " * 498 + "Ann and Zoë") == [("Ann", ["Ann"])]
    found = retriever(wb, embed=False)
    result = found.retrieve("so " * 999 + "Ann", everything(), arms=["graph"])
    assert result.rankings[0].note == ("no known entity is named; "
                                       "names were looked for in the first 500 of 1000 words")
    assert found.retrieve("Ann " + "so " * 999, everything(), arms=["graph"]).rankings[0].note == (
        "names were looked for in the first 500 of 1000 words")
    assert unread("so " * 500) is None
