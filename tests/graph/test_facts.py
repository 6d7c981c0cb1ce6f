"""Windows, neighbourhoods and tables from the timeline."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from workbench.api import Workbench
from workbench.model.claim import Claim
from workbench.model.episode import Episode
from workbench.model.errors import UsageError
from workbench.model.time import FOREVER, Instant, Interval


@pytest.fixture
def wb() -> Iterator[Workbench]:
    """Ann in two teams one after the other, a gap between; the second team belongs to a company."""
    with Workbench.open() as bench:
        bench.ingest([Episode("1", observed_at=Instant.of(2024), claims=(
            Claim("Ann", "memberOf", "Ops", valid_from="2020-01-01", valid_to="2021-01-01"),
            Claim("Ann", "memberOf", "Web", valid_from="2022-01-01"),
            Claim("Web", "partOf", "Acme", valid_from="2019-01-01"),
            Claim("Ann", "age", value=41)))])
        yield bench


@pytest.mark.parametrize(("start", "end", "teams"), [
    (2018, 2019, []), (2018, 2020, []), (2020, 2021, ["Ops"]), (2021, 2022, []), (2020, 2023, ["Ops", "Web"]),
    (2030, 2031, ["Web"])])
def test_window_is_half_open(wb: Workbench, start: int, end: int, teams: list[str]) -> None:
    found = wb.window(Interval(Instant.of(start), Instant.of(end)), "Ann", "memberOf")
    assert [fact.object for fact in found] == teams


def test_window_of_everything_before_anything_was_known(wb: Workbench) -> None:
    assert len(wb.window(Interval(), known_at=Instant.of(2000))) == 0
    assert len(wb.window(Interval())) == 4


def test_neighbourhood_follows_what_holds(wb: Workbench) -> None:
    def reached(year: int, hops: int) -> list[str | None]:
        return [fact.object for fact in wb.neighbourhood("Ann", hops, valid_at=Instant.of(year)) if fact.object]

    assert reached(2023, 1) == ["Web"]
    assert reached(2023, 2) == ["Web", "Acme"]
    assert reached(2020, 2) == ["Ops"]
    assert len(wb.neighbourhood("Nobody")) == 0
    with pytest.raises(UsageError, match="at least 1"):
        wb.neighbourhood("Ann", 0)


def test_tables_have_real_types(wb: Workbench) -> None:
    frame = wb.facts("Ann", valid_at=Instant.of(2024, 6)).frame().sort("relation")
    assert frame["relation"].to_list() == ["age", "memberOf"]
    assert frame["value"].to_list() == ["41", None]
    assert frame["object"].to_list() == [None, "Web"]
    assert frame["valid_from"].to_list()[1] == datetime(2022, 1, 1, tzinfo=UTC)
    assert frame["valid_from"].to_list()[0] is None
    assert wb.facts("Ann", "memberOf").ids()["vt"].to_list() == [int(FOREVER)]
    assert wb.facts("Nobody").frame().height == 0
