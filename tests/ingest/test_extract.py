"""The rule extractor on plain sentences, with a small schema made here."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.ingest.rules import RuleExtractor
from workbench.ingest.seam import Context
from workbench.model.claim import Claim, Polarity
from workbench.model.episode import Episode
from workbench.model.errors import EpisodeError
from workbench.model.fact import Entity
from workbench.model.schema import EntityType, Relation, Schema
from workbench.model.time import BEGINNING, Bound, Instant, Unparsed

NOON = Instant.parse("2024-05-08T12:00:00Z")


def kind(name: str, parent: str | None = None) -> EntityType:
    return EntityType(f"urn:t:{name}", ((name, "en"),), None if parent is None else f"urn:t:{parent}")


def relation(name: str, label: str, forms: str, domain: str | None = None, target: str | None = None, *,
             event: bool = False, functional: bool = False) -> Relation:
    pairs = tuple((part.rpartition("@")[0], part.rpartition("@")[2]) if "@" in part else (part, "en")
                  for part in forms.split("|") if part)
    stated = target if target is None or ":" in target else f"urn:t:{target}"
    return Relation(f"urn:r:{name}", ((label, "en"),), pairs, functional=functional, event=event,
                    domain=None if domain is None else f"urn:t:{domain}", range=stated)


XSD = "http://www.w3.org/2001/XMLSchema#"
RELATIONS = (
    relation("memberOf", "member of", "joined|is a member of|moved to|加入@zh", "person", "team", functional=True),
    relation("worksFor", "works for", "works at|joined|got a job at|arbeitet bei@de|trabaja en@es", "person",
             "company"),
    relation("headOf", "head of", "is the CEO of|CEO of|heads|leads", "person"),
    relation("reportsTo", "reports to", "manager|boss|is managed by", "person", "person", functional=True),
    relation("livesIn", "lives in", "moved to|is based in|wohnt in@de|vive en@es|住在@zh", "person", "place",
             functional=True),
    relation("capitalOf", "capital of", "is the capital of", "place", "place"),
    relation("spouse", "spouse", "is married to|married", "person", "person"),
    relation("likes", "likes", "loves", "person"),
    relation("drinks", "drinks", "", "person"),
    relation("weight", "weight", "weighs", "person", XSD + "decimal"),
    relation("status", "status", "has status", None, XSD + "string"),
    relation("testedWith", "tested with", "was tested with"),
    relation("met", "met", "met with", "person", "person", event=True),
    relation("called", "called", "phoned", "person", "person", event=True),
    relation("uses", "uses", "is using"),
    relation("type", "type", ""),
)
TYPES = (kind("person"), kind("organization"), kind("company", "organization"), kind("team", "organization"),
         kind("place"), kind("service"))
SCHEMA = Schema({item.iri: item for item in RELATIONS}, {item.iri: item for item in TYPES})
EXTRACTOR = RuleExtractor()


def extract(text: str, *, earlier: Sequence[Episode] = (), speaker: str | None = "Sam", at: Instant | None = NOON,
            entities: Sequence[Entity] = (), zone: str | None = None) -> Sequence[Claim]:
    episode = Episode("e", text=text, speaker=speaker, observed_at=at, time_zone=zone)
    claims = EXTRACTOR.extract(episode, Context(SCHEMA, entities, earlier))
    for claim in claims:
        assert claim.span is not None
        assert text[claim.span[0]:claim.span[1]] == claim.quote
    return claims


def short(claim: Claim) -> str:
    """`Ann livesIn Rome`, with `!` before a denial and the best start and end as dates."""
    value = claim.object if claim.object is not None else claim.value
    return ("! " if claim.polarity is Polarity.DENIED else "") + f"{claim.subject} {claim.relation[6:]} {value}" + when(
        claim.start, ">") + when(claim.end, "<")


def when(bound: Bound | Unparsed | None, mark: str) -> str:
    if bound is None:
        return ""
    return f" {mark}?" if isinstance(bound, Unparsed) else f" {mark}{bound.best.iso()[:10]}"


SENTENCES = r"""
Alice joined Billing in January 2023. | Alice memberOf Billing >2023-01-01
Alice moved to Platform on 1 March. | Alice memberOf Platform >2024-03-01
Alice moved to Berlin on 1 March. | Alice livesIn Berlin >2024-03-01
Alice joined Billing in January 2023 and left on 1 March. |
  Alice memberOf Billing >2023-01-01 | Alice memberOf Billing <2024-03-01
In 2019, Ann joined Acme Inc. | Ann worksFor Acme Inc >2019-01-01
Ann joined Acme Inc in 2019, and in 2020 she left. |
  Ann worksFor Acme Inc >2019-01-01 | Ann worksFor Acme Inc <2021-01-01
Bob left the Billing team last Friday. | Bob memberOf Billing <2024-05-03
Ann works at Acme since 2019. | Ann worksFor Acme >2019-01-01
Ann is working at Acme. | Ann worksFor Acme
Ann has worked at Acme for three years. | Ann worksFor Acme >2021-05-08
Ann worked at Acme for three years. | Ann worksFor Acme >?
Ann worked at Acme. | Ann worksFor Acme <2024-05-08
Ann worked at Acme from 2019 to 2021, then moved to Berlin. |
  Ann worksFor Acme >2019-01-01 <2022-01-01 | Ann livesIn Berlin
Ann worked at Acme in 2019. | Ann worksFor Acme >2019-01-01 <2020-01-01
Bob is the CEO of Globex. | Bob headOf Globex
Bob is now the CEO of Globex as of 1 May 2024. | Bob headOf Globex >2024-05-01
Bob was the CEO of Globex until May 2020. | Bob headOf Globex <2020-06-01
Bob became CEO of Globex in Q3 2023. | Bob headOf Globex >2023-07-01
Bob is no longer the CEO of Globex. | Bob headOf Globex <2024-05-08
Bob stepped down as CEO of Globex yesterday. | Bob headOf Globex <2024-05-07
Bob is not a member of the Billing team. | ! Bob memberOf Billing
Bob isn't a member of the Billing team. | ! Bob memberOf Billing
Carol doesn't live in Rome. | ! Carol livesIn Rome
Carol never lived in Rome. | ! Carol livesIn Rome
Carol has never been a member of Billing. | ! Carol memberOf Billing
Carol no longer lives in Berlin. | Carol livesIn Berlin <2024-05-08
Carol used to live in Paris. | Carol livesIn Paris <2024-05-08
Carol moved from Berlin to Munich on 3 May 2024. | Carol livesIn Munich >2024-05-03 | Carol livesIn Berlin <2024-05-03
I like tea and coffee. | Sam likes tea | Sam likes coffee
Ann drinks tea. | Ann drinks tea
Ann stopped drinking tea. | Ann drinks tea <2024-05-08
Ann stopped drinking tea in March. | Ann drinks tea <2024-04-01
Ann started drinking coffee on 3 May. | Ann drinks coffee >2024-05-03
I don't drink coffee anymore. | Sam drinks coffee <2024-05-08
Ann weighs 60 kg. | Ann weight 60
Ann weighed 62.5 kg on 3 May. | Ann weight 62.5 >2024-05-03 <2024-05-04
Ann's boss is Bob. | Ann reportsTo Bob
Bob is Ann's boss. | Ann reportsTo Bob
The boss of Ann is Bob. | Ann reportsTo Bob
The capital of France is Paris. | Paris capitalOf France
Bob married Ann in 2020. | Bob spouse Ann >2020-01-01
Alice and Bob work at Acme. | Alice worksFor Acme | Bob worksFor Acme
Ann, who works at Acme, lives in Boston. | Ann worksFor Acme | Ann livesIn Boston
Tim Cook, the CEO of Apple, met Ann yesterday. | Tim Cook headOf Apple | Tim Cook met Ann >2024-05-07
My sister lives in Madrid. | Sam's sister livesIn Madrid
Bob will join Acme next Monday. | Bob memberOf Acme >2024-05-13
Bench was tested with model A. Bench was tested with model B. | Bench testedWith model A | Bench testedWith model B
John met Mike. He called him. | John met Mike | John called Mike
The type of the graph is attributes. | graph type attributes
Peter wohnt in Berlin seit März 2021. | Peter livesIn Berlin >2021-03-01
Ana vive en Madrid desde 2019. | Ana livesIn Madrid >2019-01-01
Ana ya no vive en Madrid. | Ana livesIn Madrid <2024-05-08
王明2019年加入阿里巴巴，去年离开。 | 王明 memberOf 阿里巴巴 >2019-01-01 | 王明 memberOf 阿里巴巴 <2024-01-01
王明不住在北京。 | ! 王明 livesIn 北京
Dr. Smith joined the Heart team on 2024-02-30. | Dr. Smith memberOf Heart >?
"""


ROWS = SENTENCES.replace("|\n ", "|").strip().splitlines()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split(" | ")[0])
def test_sentence_says_these_claims(row: str) -> None:
    text, *expected = row.split(" | ")
    assert [short(claim) for claim in extract(text)] == expected


@pytest.mark.parametrize("text", [
    "", "   \n\t ", "Does Bob work at Acme?", "If Bob joins Acme, we win.", "Bob may join Acme next year.",
    "Bob wants to join Acme.", "Bob will join Acme.", "She moved house.", "He lives in Rome.", "The weather was nice.",
    "Bob could be the CEO of Globex.", "Joined Billing.", "👩‍👩‍👧", "...", "Ann works at.", "works at Acme"])
def test_what_is_not_said_plainly_gives_nothing(text: str) -> None:
    assert list(extract(text)) == []


def test_never_counts_from_the_beginning() -> None:
    claim, = extract("Carol never lived in Rome.")
    assert (claim.valid_from, claim.start) == ("..", None)


def test_an_undated_end_lies_anywhere_up_to_what_was_said() -> None:
    claim, = extract("Ann stopped drinking tea.")
    assert claim.end == Bound(NOON, BEGINNING, NOON)
    assert claim.start is None
    assert claim.polarity is Polarity.AFFIRMED


def test_an_end_on_an_impossible_date_still_ends() -> None:
    claim, = extract("Bob left the Billing team on 2024-02-30.")
    assert claim.polarity is Polarity.DENIED
    assert claim.start == Bound.exact(NOON)
    assert claim.valid_to == "on 2024-02-30"
    assert isinstance(claim.end, Unparsed)


def test_time_phrases_stay_in_the_quote_and_in_the_claim() -> None:
    claim, = extract("Alice joined Billing in January 2023.")
    assert claim.valid_from == "in January 2023"
    assert claim.quote == "Alice joined Billing in January 2023"
    assert claim.start == Bound(Instant.of(2023), Instant.of(2023), Instant.of(2023, 2), claim.start.period
                                if isinstance(claim.start, Bound) else None, "in January 2023")


def test_without_a_time_of_its_own_an_episode_keeps_absolute_dates_only() -> None:
    absolute, = extract("Alice joined Billing in January 2023.", at=None)
    relative, = extract("Alice joined Billing last week.", at=None)
    assert isinstance(absolute.start, Bound)
    assert isinstance(relative.start, Unparsed)
    assert relative.valid_from == "last week"


def test_dates_are_read_in_the_speakers_zone() -> None:
    claim, = extract("Alice joined Billing yesterday.", at=Instant.parse("2024-05-08T11:30:00Z"),
                     zone="Pacific/Auckland")
    assert isinstance(claim.start, Bound)
    assert claim.start.best == Instant.parse("2024-05-06T12:00:00Z")


def test_an_unknown_zone_is_a_clear_error() -> None:
    with pytest.raises(EpisodeError, match="Mars"):
        extract("Alice joined Billing.", zone="Mars/Base")


def turn(text: str, speaker: str = "Kim") -> Episode:
    return Episode("before", text=text, speaker=speaker, observed_at=NOON)


@pytest.mark.parametrize(("before", "text", "expected"), [
    ("John met Mike.", "He called him.", ["John called Mike"]),
    ("Alice met Bob yesterday.", "She lives in Oslo.", ["Alice livesIn Oslo"]),
    ("Alice met Bob yesterday.", "He lives in Oslo.", ["Bob livesIn Oslo"]),
    ("Alice joined Billing in 2021.", "She left in March.", ["Alice memberOf Billing <2024-04-01"]),
    ("Hello Sam, how are you?", "You live in Oslo.", ["Kim livesIn Oslo"]),
])
def test_pronouns_look_back_over_turns(before: str, text: str, expected: list[str]) -> None:
    assert [short(claim) for claim in extract(text, earlier=[turn(before)])] == expected


def test_earlier_turns_make_no_claims() -> None:
    assert list(extract("Fine, thanks.", earlier=[turn("Alice joined Billing in 2021.")])) == []


def test_known_entities_decide_between_relations() -> None:
    platform = Entity("urn:e:1", "Platform", type="urn:t:company")
    claim, = extract("Alice joined Platform.", entities=[platform])
    assert claim.relation == "urn:r:worksFor"
    assert claim.object_type == "urn:t:company"


def test_joiners_are_kept() -> None:
    text = "Ann likes می\u200cخواهم very much."
    claim, = extract(text)
    assert claim.object is not None
    assert "می\u200cخواهم" in claim.object


def test_first_person_without_speaker_is_nobody() -> None:
    assert list(extract("I like tea.", speaker=None)) == []


def test_the_fingerprint_names_the_rules() -> None:
    assert EXTRACTOR.fingerprint == "rules-2"


PIECES = ["Ann", "Bob", "joined", "Acme", "left", "is", "not", "the", "CEO of", "works at", "in 2019", "and", ",", ".",
          "'s", "boss", "he", "her", "no longer", "never", "moved", "from", "to", "Rome", "weighs", "60", "kg",
          "likes", "tea", "on 2024-02-30", "？", "我", "住在", "离开", "who", "my", "\u200d", "used to", "stopped",
          "drinking"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join) | st.text(max_size=60))
def test_no_text_crashes_and_every_claim_is_grounded(text: str) -> None:
    for claim in extract(text):
        assert claim.quote
        assert claim.object is not None or claim.value is not None
        assert 0 < claim.confidence <= 1
    assert list(extract(text)) == list(extract(text))


def test_a_long_text_is_read_in_time_that_grows_with_its_length() -> None:
    text = "Alice joined Billing in January 2023 and left on 1 March. The weather was nice, and nobody cared. " * 100
    started = time.process_time()
    assert len(extract(text)) == 200
    assert time.process_time() - started < 2
