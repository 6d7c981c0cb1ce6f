"""Surface forms of the relations of the controlled language, as questions word them.

A phrase is a regular expression over lower-case text; it evokes one relation, or several among which the facts
decide: "founded" may ask for a founder or for a place, "comes from" for a citizenship or an origin. Specific phrases
stand beside general ones and win because the longest match does. A *hint* supports a relation without asking for one:
a question that says "country" may mean a citizenship or an origin, and one that says "play" need not ask anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_PLACES: Final = "headquarters, place of birth, place of death, work location, place of formation"
_PEOPLE: Final = ("author, chairperson, chief executive officer, child, creator, director, founder, head coach, "
                  "performer, head of government, head of state, spouse, office holder")

BINDING: Final[tuple[tuple[str, str], ...]] = (
    (r"author(?:s|ed)?|writers?|wrote|penned", "author"),
    (r"written by", "author"),
    (r"novelists?|poets?|playwrights?|essayists?", "author, occupation"),
    (r"behind", "author, creator, developer, founder"),
    (r"boss|at the helm", "chief executive officer, chairperson, director"),
    (r"homeland|(?:home|native) country|motherland|fatherland", "citizenship, country of origin, place of birth"),
    (r"(?:native|mother|first) (?:language|tongue)", "language spoken"),
    (r"(?:do|does|did) (?:\w+ )?(?:for a living|professionally)|(?:earns?|earned|making|make|made) (?:a|his|her|their) "
     r"living|trade", "occupation"),
    (r"consort|widow(?:er)?|bride|groom|marr(?:y|ies|ying)|(?:other|better) half|weds", "spouse"),
    (r"fathered|originators?|instituted|initiat(?:ed|or)", "founder, creator"),
    (r"governs?|governed|governing|governors?", "head of government, head of state"),
    (r"presid(?:es|ing) over (?:the |that |this )?(?:country|nation|state)", "head of state"),
    (r"seat", "headquarters, capital"),
    (r"reigns?|reigned|reigning|rules?|ruled|king|queen|emperor|empress", "head of state"),
    (r"(?:runs?|ran|running|in charge of|leading|chairs) (?:the|its|their) government|chancellor",
     "head of government"),
    (r"trains?|trainer|trained by", "head coach"),
    (r"(?:makes?|builds?|assembles?|assembled by)", "manufacturer"),
    (r"(?:mag(?:num)? opus|masterpiece|(?:most famous|best[- ]known|most celebrated) (?:\w+ )?(?:work|creation|piece))",
     "notable work"),
    (r"worship\w*|adher\w+(?: to)?|profess(?:es|ed)?|practi[cs](?:es|ed|ing) (?:the )?(?:religion|faith)", "religion"),
    (r"landmass", "continent"),
    (r"(?:capital|seat of government|cent(?:er|re) of government|administrative cent(?:er|re))(?: city| town)?",
     "capital"),
    (r"(?:position|post|office) of (?:the )?chair\w*|chair(?:person|man|woman|s|ed)?|presid(?:es|ing) over",
     "chairperson"),
    (r"(?:position of )?chief executive officers?|ceo|chief executive", "chief executive officer, head of government"),
    (r"chief executive of (?:the|that) (?:country|nation)", "head of government"),
    (r"child|children|sons?|daughters?|offspring|kids?", "child"),
    (r"citizen(?:s|ship)?(?: of)?|countr(?:y|ies) of citizenship|nationalit(?:y|ies)|nationals?", "citizenship"),
    (r"continents?", "continent"),
    (r"countr(?:y|ies) of (?:its |their |his |her )?origin|originat\w+|origins?|birthed|gave rise to",
     "country of origin, place of formation, citizenship, place of birth"),
    (r"(?:originally|first) (?:come|comes|came|made|hails?|hailed|produced|created|developed|invented|"
     r"practi[cs]ed|played|appeared)(?: from| in)?", "country of origin, place of formation, citizenship"),
    (r"(?:is|was|were|are|been) (?:\w+ly )?(?:made|invented|produced|practi[cs]ed|conceived)(?: in)?",
     "country of origin, manufacturer"),
    (r"c[ao]mes? (?:\w+ )?from|hail(?:s|ed)? (?:\w+ )?from|is from|are from|was from",
     "country of origin, citizenship, place of birth"),
    (r"hail(?:s|ed)?|invented|native", "country of origin, citizenship"),
    (r"belong(?:s|ed|ing)?(?: to)?", "citizenship, religion, employer, sport, country of origin, continent"),
    (r"pertains?(?: to)?", "continent, religion"),
    (r"creat(?:or|ors|ed|es|ed by|ing)", "creator, country of origin, founder, notable work, author"),
    (r"creation", "notable work, creator"),
    (r"director/producer|producers?", "creator, director, manufacturer"),
    (r"developers?", "developer"),
    (r"develop(?:s|ed|ed by)", "developer, country of origin"),
    (r"director(?:s|/manager| or manager| and manager)?|managers?|manag(?:es|ed)|directed(?:/managed| or managed|"
     r" and managed)?|directs", "director, head coach"),
    (r"position of (?:the )?(?:director(?:/manager)?|manager)", "director"),
    (r"educat\w+(?: (?:institution|organi[sz]ation|establishment|background|facility))?|studied|alma mater|"
     r"attended|graduated|schooling|(?:receiv\w+|get|got|obtain\w+) (?:his|her|their|an|the) education|"
     r"went to (?:school|college|university)", "educated at"),
    (r"universit(?:y|ies)|institutions?|colleges?|schools?", "educated at, employer, founder, headquarters"),
    (r"employ\w*", "employer"),
    (r"work(?:s|ed|ing)? (?:for|at)|(?:is|was|were|are) (?:a )?(?:part|member) of|affiliated",
     "employer, religion, sport, work location, citizenship"),
    (r"compan(?:y|ies),? organi[sz]ations?,? or institutions?", "employer"),
    (r"(?:was|is|were|are)? ?responsible for the author", "employer, author"),
    (r"found(?:er|ers)|(?:founded|established|started|set up) by|responsible for (?:the )?(?:found\w+|"
     r"establish\w+|creation)", "founder, creator"),
    (r"(?:who|that|which) (?:first )?(?:founded|established|started)", "founder, place of formation"),
    (r"found(?:ed|ing|ation)|establish\w*", "founder, place of formation, country of origin"),
    (r"head coach|coach(?:es|ed)?(?: by)?", "head coach"),
    (r"(?:current )?heads? of (?:the )?(?:\S+ ){0,4}?government|"
     r"(?:current )?heads? of the \S+(?: \S+){0,3} government|political leader|government (?:head|leader)|"
     r"head(?:s|ed)? (?:of )?the government|leads? the government|prime minister|premier|mayor", "head of government"),
    (r"heads? of (?:the )?(?:state|country|nation)|chief of (?:the )?state|chief public representative|"
     r"highest[- ]ranking official|monarch|sovereign|ruler|state leader|presidents?", "head of state"),
    (r"leaders?", "head of state, head of government, founder"),
    (r"headquarter(?:s|ed)?(?: located| location)?|head office|main office|based|location of (?:the |"
     r"its )?headquarters?", "headquarters"),
    (r"(?:original )?languages?|tongues?", "language spoken, official language, language of work"),
    (r"official(?:ly)?(?: (?:spoken )?(?:languages?|tongues?|documents|business))?", "official language"),
    (r"languages? of (?:the )?(?:\w+ )?work|written in", "language of work, language spoken"),
    (r"speaks?|spoken|sign(?:s|ed)?|writes?|written|communicat\w*|fluent|know how",
     "language spoken, language of work, official language"),
    (r"manufactur\w*|made by|maker|built by", "manufacturer"),
    (r"produced|made", "manufacturer, country of origin"),
    (r"(?:musical |music )?genres?|(?:types?|kinds?|styles?|sorts?|form) of (?:music|musical)|"
     r"music(?:al)? (?:style|genre|type)", "music genre"),
    (r"notable work|famous (?:for|work)|significant (?:creation|work)|made famous|well[- ]known (?:for|work)|"
     r"best known(?: for)?|renowned for|famous", "notable work"),
    (r"occupations?|professions?|professional role|job(?: title)?|careers?|field of work|works? in the field|"
     r"(?:kind|type|sort|line) of work|vocation|work as", "occupation"),
    (r"(?:what|which) position did .{0,80} serve", "occupation"),
    (r"(?:original(?:ly)? |first )?broadcast(?:er|ers|ed|ing)?|(?:originally |first )?aired|"
     r"(?:original )?(?:television |tv )?networks?|tv channel", "original broadcaster"),
    (r"perform(?:er|ers|ed|ed by|s)?|singers?|sung by|actors?|actress|artists?|portray\w*|musicians?|bands?|sang|"
     r"recorded by", "performer"),
    (r"birthplaces?|places? of birth|birth (?:place|city|town)|city of birth|hometown",
     "place of birth, country of origin, place of formation"),
    (r"born(?: in)?|birth", "place of birth, citizenship, country of origin"),
    (r"places? of (?:death|passing)|die[sd]?(?: in)?|death|pass(?:es|ed)? away|passing|(?:breathe?d?|took|take|"
     r"drew|draw) (?:his|her|their) last(?: breath)?|last breath|los[et] (?:his|her|their) life|perish\w*|demise|"
     r"deceased", "place of death"),
    (r"(?:came?|coming) into (?:existence|being)|formation|inception|beginnings?|began|start(?:ed)?",
     "place of formation, founder, country of origin"),
    (r"(?:position|role)s?(?:/specialty)?(?: (?:played|on (?:a|the) team(?:/specialty| or (?:his |"
     r"her )?specialty)?))?", "position played"),
    (r"speciali[sz]\w*|specialt(?:y|ies)|speciality", "position played, sport"),
    (r"religio(?:n|ns|us)(?: (?:affiliation|group|beliefs?|organi[sz]ation|leader))?|faiths?|belie(?:f|fs|ved|"
     r"ves)(?: in)?|denomination", "religion"),
    (r"follow(?:s|ed|er)?", "religion"),
    (r"spouses?|husbands?|wi(?:fe|ves)|partners?(?:/spouse)?|married(?: to)?|significant other|better half|"
     r"marriage|wed(?:ded)?", "spouse"),
    (r"sports?(?: (?:disciplines?|competition|club|team))?|sportsperson|athlet\w+|disciplines?", "sport"),
    (r"compet(?:e|ed|es)(?: in)?", "sport"),
    (r"work(?:ing)? locations?|(?:locations?|places?|cit(?:y|ies)) of (?:the |his |her |their )?work|(?:places?|"
     r"work) of (?:work|employment)|workplace|work hours", "work location"),
    (r"work(?:s|ed|ing)?(?: in)?", "work location, employer, notable work, occupation, language of work"),
)
HINTS: Final[tuple[tuple[str, str], ...]] = (
    (r"countr(?:y|ies)|nations?", "citizenship, country of origin"),
    (r"cit(?:y|ies)|town", f"capital, {_PLACES}"),
    (r"locations?|places?|where", f"continent, {_PLACES}"),
    (r"located|situated|lies?", "continent, headquarters, work location"),
    (r"play(?:s|ed|ing)?(?: by)?", "sport, position played, performer, music genre"),
    (r"practi[cs]\w+", "religion, country of origin, sport"),
    (r"formed", "place of formation, founder, head of government"),
    (r"known(?: for)?", "notable work, position played, sport"),
    (r"compan(?:y|ies)|organi[sz]ations?", "employer, manufacturer, developer, founder"),
    (r"music(?:al)?|albums?|songs?", "music genre, performer"),
    (r"church", "religion"),
)
ASKED: Final[tuple[tuple[str, str], ...]] = (
    (r"continents?", "continent"),
    (r"capital", "capital, headquarters"),
    (r"(?:what|which|in what|in which|the) (?:\w+ )?(?:city|town)|in which city", f"capital, {_PLACES}"),
    (r"(?:which|what|whose|the) (?:\w+ )?(?:country|nation)|nationality", "citizenship, country of origin"),
    (r"languages?|tongue", "language spoken, official language, language of work"),
    (r"religion|religious affiliation|faith", "religion"),
    (r"position", "position played, occupation, chairperson, director"),
    (r"(?:which|what|the) sports?", "sport"),
    (r"headquarters", "headquarters"),
    (r"birthplace|place of birth", "place of birth, country of origin, place of formation"),
    (r"place of death", "place of death"),
    (r"(?:kind|type|style|sort) of music", "music genre"),
    (r"(?:which|what) (?:\w+ )?(?:university|college|school)", "educated at, employer"),
    (r"^(?:name|identify|give me|tell me|find) (?:the )?(?:\w+ )?(?:person|individual|man|woman|one)\b", _PEOPLE),
    (r"^(?:where|at wh\w+ (?:place|location)|in wh\w+ (?:place|location))|(?:what|which) (?:\w+ )?(?:location|"
     r"place)|the (?:\w+ )?location", f"{_PLACES}, country of origin, continent, capital"),
    (r"^(?:to |by )?who\b|^whom|name of the (?:person|individual|partner|founder|head|chief|current|child)|"
     r"(?:which|what) (?:person|individual)", f"{_PEOPLE}, employer, developer"),
)


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase found in a question, `[start, end)`, and the relations that it may ask for or support."""

    start: int
    end: int
    evokes: frozenset[str]
    binding: bool


def _compiled(table: tuple[tuple[str, str], ...]) -> tuple[tuple[re.Pattern[str], frozenset[str]], ...]:
    return tuple((re.compile(rf"(?<!\w)(?:{form})(?!\w)"), frozenset(relations.split(", ")))
                 for form, relations in table)


_BINDING: Final = _compiled(BINDING)
_HINTS: Final = _compiled(HINTS)
_ASKED: Final = tuple((re.compile(form), frozenset(relations.split(", "))) for form, relations in ASKED)


def cues(text: str) -> list[Cue]:
    """The phrases of a question in order. Where phrases overlap the longest stands; equal ones join what they evoke."""
    found: dict[tuple[int, int, bool], frozenset[str]] = {}
    for binding, table in ((True, _BINDING), (False, _HINTS)):
        for form, relations in table:
            for match in form.finditer(text):
                key = (*match.span(), binding)
                found[key] = found.get(key, frozenset()) | relations
    longest = sorted(found, key=lambda span: (span[0] - span[1], not span[2], span[0]))
    return sorted((Cue(start, end, found[start, end, binding], binding)
                   for start, end, binding in _without_overlap(longest)), key=lambda cue: cue.start)


def _without_overlap(spans: list[tuple[int, int, bool]]) -> Iterator[tuple[int, int, bool]]:
    taken: list[tuple[int, int]] = []
    for start, end, binding in spans:
        if all(end <= other[0] or start >= other[1] for other in taken):
            taken.append((start, end))
            yield start, end, binding


def asked_for(text: str) -> frozenset[str]:
    """Relations whose values fit the question word; empty if it does not say."""
    hits = sorted((match.start(), number) for number, (form, _) in enumerate(_ASKED)
                  if (match := form.search(text[:60])) is not None)
    return _ASKED[hits[0][1]][1] if hits else frozenset()
