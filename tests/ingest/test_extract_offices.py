"""The rule extractor with the default schema: offices in four languages, and names that must stay whole."""

from __future__ import annotations

import pytest

from workbench.graph.ontology import default_schema
from workbench.ingest.rules import RuleExtractor
from workbench.ingest.seam import Context
from workbench.model.claim import Polarity
from workbench.model.episode import Episode
from workbench.model.time import Bound, Instant, Unparsed

NOON = Instant.parse("2024-05-08T12:00:00Z")
EXTRACTOR = RuleExtractor()
CONTEXT = Context(default_schema(), (), ())


def when(bound: Bound | Unparsed | None, mark: str) -> str:
    return "" if bound is None else f" {mark}{bound.best.iso()[:10] if isinstance(bound, Bound) else '?'}"


def read(text: str) -> list[str]:
    """`Ann | livesIn | Rome`, with `!` before a denial and the best start and end as dates."""
    claims = EXTRACTOR.extract(Episode("e", text=text, speaker="Sam", observed_at=NOON), CONTEXT)
    return [f"{'! ' if claim.polarity is Polarity.DENIED else ''}{claim.subject} | {claim.relation.rsplit(':')[-1]} | "
            f"{claim.object or claim.value}{when(claim.start, '>')}{when(claim.end, '<')}" for claim in claims]


NAMES = """
New York City is part of New York. => New York City | partOf | New York
Ann lives in New Zealand and works for New Balance. => Ann | livesIn | New Zealand & Ann | worksFor | New Balance
Ann moved to Los Angeles in 2020. => Ann | livesIn | Los Angeles >2020-01-01
Ann joined De Nederlandsche Bank in 2019. => Ann | memberOf | De Nederlandsche Bank >2019-01-01
Ann works for the Bank of the West. => Ann | worksFor | Bank of the West
Ludwig van Beethoven lived in Bonn. => Ludwig van Beethoven | livesIn | Bonn <2024-05-08
Luis von Ahn leads Duolingo. => Luis von Ahn | headOf | Duolingo
Van Morrison lives in Belfast. => Van Morrison | livesIn | Belfast
Ana vive en La Paz desde 2019. => Ana | livesIn | La Paz >2019-01-01
Emily is dating Sally. => Emily | partner | Sally
The office is located in New York City. => office | locatedIn | New York City
Ann became president of Italy. => Ann | presidentOf | Italy
Ann became an ambassador of the United Arab Emirates. => Ann | holdsRole | ambassador of the United Arab Emirates
"""

OFFICES = """
Bob Smith is the new CEO of New Relic. => Bob Smith | headOf | New Relic
The new CEO of New Relic is Bob Smith. => Bob Smith | headOf | New Relic
Bob was elected president of New Zealand Rugby on 3 May 2020. => Bob | presidentOf | New Zealand Rugby >2020-05-03
Dilma Rousseff took office as president of Brazil on 1 January 2011. =>
  Dilma Rousseff | presidentOf | Brazil >2011-01-01
Dilma Rousseff was sworn in as president of Brazil in 2011 and was removed as president of Brazil on 31 August 2016. =>
  Dilma Rousseff | presidentOf | Brazil >2011-01-01 & Dilma Rousseff | presidentOf | Brazil <2016-08-31
António Guterres has been Secretary-General of the United Nations since 2017. =>
  António Guterres | headOf | United Nations >2017-01-01
Alice was appointed head of Billing on 3 May 2024. => Alice | headOf | Billing >2024-05-03
Alice has been appointed as director of Acme. => Alice | headOf | Acme
Mark Rutte takes over as Secretary General of NATO on 1 October 2024. => Mark Rutte | headOf | NATO >2024-10-01
Julia Gillard resigned as prime minister of Australia on 27 June 2013. =>
  Julia Gillard | primeMinisterOf | Australia <2013-06-27
Bob became a chef. => Bob | holdsRole | chef
She became the prime minister of the United Kingdom. =>
Angela Merkel wurde am 22. November 2005 Bundeskanzlerin von Deutschland. =>
  Angela Merkel | primeMinisterOf | Deutschland >2005-11-22
Olaf Scholz ist seit dem 8. Dezember 2021 Bundeskanzler von Deutschland. =>
  Olaf Scholz | primeMinisterOf | Deutschland >2021-12-08
Robert war Präsident der Deutschen Bahn. => Robert | presidentOf | Deutschen Bahn <2024-05-08
Peter ist nicht mehr Präsident von Österreich. => Peter | presidentOf | Österreich <2024-05-08
Peter ist kein Mitglied des Teams. => ! Peter | memberOf | Teams
Peter war nie Präsident von Österreich. => ! Peter | presidentOf | Österreich
Sebastian Kurz trat am 18. Dezember 2017 sein Amt als Bundeskanzler von Österreich an. =>
  Sebastian Kurz | primeMinisterOf | Österreich >2017-12-18
Claudia Sheinbaum es la presidenta de México desde el 1 de octubre de 2023. =>
  Claudia Sheinbaum | presidentOf | México >2023-10-01
Michelle Bachelet fue elegida presidenta de Chile en 2014. => Michelle Bachelet | presidentOf | Chile >2014-01-01
Pedro Sánchez ya no es presidente del Gobierno de España. => Pedro Sánchez | primeMinisterOf | España <2024-05-08
Pedro Sánchez no es el presidente de Chile. => ! Pedro Sánchez | presidentOf | Chile
Evo Morales dejó de ser presidente de Bolivia el 10 de noviembre de 2019. =>
  Evo Morales | presidentOf | Bolivia <2019-11-10
Bob es un buen amigo de Ana. =>
李显龙自2004年8月起担任新加坡总理。 => 李显龙 | primeMinisterOf | 新加坡 >2004-08-01
蔡英文曾任台湾总统。 => 蔡英文 | presidentOf | 台湾 <2024-05-08
李显龙不再担任新加坡总理。 => 李显龙 | primeMinisterOf | 新加坡 <2024-05-08
李显龙于2024年5月15日卸任新加坡总理一职。 => 李显龙 | primeMinisterOf | 新加坡 <2024-05-15
李显龙不是新加坡总统。 => ! 李显龙 | presidentOf | 新加坡
王明是李华的配偶。 => 王明 | spouse | 李华
"""


@pytest.mark.parametrize("row", (NAMES + OFFICES).replace("=>\n ", "=>").strip().splitlines(),
                         ids=lambda row: row.split(" =>")[0])
def test_sentence_says_these_claims(row: str) -> None:
    text, _, expected = row.partition(" =>")
    assert read(text) == [claim.strip() for claim in expected.split(" & ") if claim.strip()]
