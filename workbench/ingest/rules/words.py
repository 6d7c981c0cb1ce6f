"""English words that the rules go by: closed classes, irregular verbs, verbs that end something, well-known places."""

from __future__ import annotations

from typing import Final

BE: Final = frozenset({"is", "are", "am", "'s", "’s", "'m", "’m", "'re", "’re", "was", "were", "be", "been", "being"})
PAST_BE: Final = frozenset({"was", "were"})
BECOME: Final = frozenset({"became", "becomes", "become", "named", "appointed", "elected", "re-elected", "reelected",
                           "made", "promoted", "chosen", "started", "begins", "began"})
HAVE: Final = frozenset({"has", "have", "had", "'ve", "’ve"})
DO: Final = frozenset({"do", "does", "did"})
WILL: Final = frozenset({"will", "'ll", "’ll", "shall"})
MODAL: Final = frozenset({"may", "might", "could", "would", "should", "can", "must", "'d", "’d", "cannot"})
NOT: Final = frozenset({"not", "n't", "n’t"})
STOP: Final = frozenset({"stopped", "stops", "quit", "quits", "ceased", "ceases", "stop"})
START: Final = frozenset({"started", "starts", "began", "begins", "start", "begin"})
END_AS: Final = {("stepped", "down", "as"), ("steps", "down", "as"), ("resigned", "as"), ("retired", "as"),
                 ("resigns", "as"), ("was", "removed", "as"), ("ceased", "to", "be"), ("stopped", "being"),
                 ("was", "fired", "as"), ("was", "dismissed", "as")}
START_AS: Final = tuple(tuple(words.split()) for words in (
    "took office as|takes office as|took over as|takes over as|taking over as|take over as|take office as|"
    "was sworn in as|is sworn in as|sworn in as|was inaugurated as|is inaugurated as|inaugurated as|assumed office as|"
    "was installed as|was confirmed as|took up office as|takes up office as|returned as|was chosen as|was named as|"
    "was appointed as|was appointed to be|was elected as|was elected to be|sein amt als|ihr amt als|"
    "tomó posesión como|asumió como|asumió el cargo de").split("|"))
AS: Final = frozenset({"served", "serves", "serving", "works", "worked", "acts", "acted", "acting"})
ADVERBS: Final = frozenset(
    "now still also currently recently just already previously formerly then really only both soon finally eventually "
    "always often usually mainly officially briefly again initially originally once since immediately later actually "
    "early first long temporarily presently thereafter subsequently".split())
ARTICLES: Final = frozenset({"a", "an", "the"})
POSSESSIVES: Final = frozenset({"my", "your", "his", "her", "its", "our", "their"})
DETERMINERS: Final = ARTICLES | POSSESSIVES | {"this", "that", "these", "those", "some", "any", "new"} | frozenset(
    "der die das dem den des ein eine einen einem einer el los las un una".split())
FOREIGN_IS: Final = {"de": frozenset({"ist", "bleibt", "sind"}), "es": frozenset({"es", "sigue", "siendo", "son"})}
FOREIGN_WAS: Final = {"de": frozenset({"war", "gewesen"}), "es": frozenset({"fue", "era", "sido"})}
FOREIGN_BECAME: Final = {
    "de": frozenset({"wurde", "wird"}), "es": frozenset({"elegido", "elegida", "nombrado", "nombrada", "designado",
                                                         "designada", "proclamado", "proclamada"})}
FOREIGN_NOT: Final = {"de": frozenset({"nicht", "kein", "keine"}), "es": frozenset()}
FOREIGN_NEVER: Final = {"de": frozenset({"nie", "niemals"}), "es": frozenset({"nunca", "jamás"})}
FOREIGN_REST: Final = {
    "de": frozenset("mehr seit zum zur als der die das nun jetzt noch derzeit wieder trat tritt".split()),
    "es": frozenset("ha el la ahora actualmente todavía nuevo nueva como actual".split())}
FOREIGN_END_AS: Final = (("dejó", "de", "ser"), ("deja", "de", "ser"), ("renunció", "como"), ("dimitió", "como"))
FOREIGN_ARTICLES: Final = {"de": frozenset({"der", "die", "das", "dem", "den"}), "es": frozenset({"la"})}
FIRST_PERSON: Final = frozenset({"i", "me", "myself"})
SECOND_PERSON: Final = frozenset({"you"})
HE: Final = frozenset({"he", "him", "himself"})
SHE: Final = frozenset({"she", "her", "herself"})
THIRD: Final = HE | SHE | {"they", "them", "it"}
PRONOUNS: Final = FIRST_PERSON | SECOND_PERSON | THIRD | {"we", "us"}
RELATIVE: Final = frozenset({"who", "which", "that"})
JOINERS: Final = frozenset({"and", "but", "then", "or", ",", ";", "yet", "so", "—", "–", "-"})
CONNECTORS: Final = frozenset({"of", "the", "de", "la", "del", "der", "den", "van", "von", "da", "di", "du", "al", "el",
                               "bin", "&", "for", "and", "y", "e"})
BOUNDARY: Final = frozenset(
    "and or but because when while who which that before after since as with in at on to from by for so if though "
    "although until till where than into about during under over via per is are was were has have had will not then "
    "every each anymore instead too now currently again together without within through between against like "
    "he she they it we i you there here if whether did does do very when what where today yesterday tomorrow "
    "later last next this still also back no up out off down".split())
CONDITIONAL: Final = frozenset({"if", "unless", "suppose", "supposing", "imagine", "whether", "wish", "hopefully"})
NOT_NAMES: Final = frozenset(
    "the a an this that these those there here he she it they we i you his her its our their my your and but or so if "
    "when while after before since until in on at from by for with as to of today yesterday tomorrow last next "
    "yes no not never ok okay thanks hello hi hey dear please note update also then now however meanwhile currently "
    "recently who what where why how which is are was were do does did has have had will would can could may might "
    "should during although because although both each every some any all most many few once finally someone "
    "everyone nobody anybody somebody everybody anyone something everything nothing anything one".split())
# present third person → (base, past, participle)
IRREGULAR: Final[dict[str, tuple[str, str, str]]] = {
    form.split()[0]: (form.split()[1], form.split()[2], form.split()[3]) for form in (
        "has have had had", "drinks drink drank drunk", "eats eat ate eaten", "leads lead led led", "runs run ran run",
        "knows know knew known", "holds hold held held", "keeps keep kept kept", "sits sit sat sat",
        "speaks speak spoke spoken", "teaches teach taught taught", "wears wear wore worn", "drives drive drove driven",
        "buys buy bought bought", "sells sell sold sold", "meets meet met met", "wins win won won",
        "writes write wrote written", "makes make made made", "goes go went gone", "gets get got gotten",
        "takes take took taken", "gives give gave given", "becomes become became become", "grows grow grew grown",
        "builds build built built", "sings sing sang sung", "sleeps sleep slept slept", "thinks think thought thought",
        "costs cost cost cost", "heads head headed headed", "flies fly flew flown", "forbids forbid forbade forbidden",
        "lies lie lay lain", "rides ride rode ridden", "reads read read read", "sees see saw seen",
        "feels feel felt felt", "finds find found found", "leaves leave left left", "loses lose lost lost",
        "pays pay paid paid", "says say said said", "sends send sent sent", "spends spend spent spent",
        "stands stand stood stood", "swims swim swam swum", "tells tell told told", "begins begin began begun")}
PAST_TO_PRESENT: Final = {past: present for present, (_, past, _p) in IRREGULAR.items()}

# verbs that end something → the surface forms whose relations they end, most likely first
ENDINGS: Final[dict[str, tuple[str, ...]]] = {
    "left": ("joined", "is a member of", "member of", "works at", "works for", "lives in", "plays for", "is part of"),
    "leaves": ("joined", "is a member of", "member of", "works at", "works for", "lives in", "plays for"),
    "has left": ("joined", "is a member of", "member of", "works at", "works for", "lives in", "plays for"),
    "quit": ("works at", "works for", "joined", "is a member of", "member of", "plays for"),
    "resigned from": ("works at", "works for", "joined", "is a member of", "member of", "serves on"),
    "was fired from": ("works at", "works for", "joined", "is a member of"),
    "was fired by": ("works at", "works for"),
    "was laid off from": ("works at", "works for"),
    "was laid off by": ("works at", "works for"),
    "retired from": ("works at", "works for", "plays for", "is a member of"),
    "departed": ("joined", "is a member of", "works at"),
    "departed from": ("joined", "is a member of", "works at"),
    "moved out of": ("lives in", "lives at"),
    "moved away from": ("lives in", "lives at"),
    "dropped out of": ("studies at", "is a student at", "educated at"),
    "divorced": ("is married to", "married", "spouse"),
    "broke up with": ("is dating", "partner"),
    "gave up": ("drinks", "eats", "plays", "likes", "uses"),
    "gave up on": ("uses", "likes", "plays"),
    "cancelled": ("subscribes to", "uses"),
    "canceled": ("subscribes to", "uses"),
}

MALE: Final = frozenset(
    "adam alan alex andrew anthony ben bob brian carl charles chris daniel david dennis ed eric frank fred gary george "
    "greg hans henry ian jack james jan jason jeff jim joe john jose josé juan karl kevin larry luis mark martin "
    "matthew max michael mike nick oliver oscar otto pablo paul pedro peter phil raj richard rob robert ron ryan sam "
    "scott sean stefan stephen steve ted thomas tim tom victor walter will william".split())
FEMALE: Final = frozenset(
    "alice alicia amy ana andrea angela anita ann anna anne barbara beth betty carla carol caroline catherine clara "
    "claire cynthia diana donna dora elena elizabeth ella emily emma erika eva fiona grace greta hannah heidi helen "
    "ingrid irene jane janet jennifer jessica joan julia karen kate laura lena linda lisa lucy luisa maria marie "
    "martha mary megan mia monica nancy nina nora olga olivia patricia paula petra priya rachel rebecca rosa ruth "
    "sandra sara sarah sofia sonia sophie susan tanya teresa tina ursula vera wendy yuki zoe".split())

PLACES: Final = frozenset((
    "amsterdam|ankara|athens|atlanta|auckland|austin|bangkok|barcelona|basel|beijing|belgrade|berlin|bern|bogotá|bogota|"
    "boston|brasília|brisbane|bristol|brooklyn|brussels|bucharest|budapest|buenos aires|cairo|cambridge|cape town|"
    "caracas|chennai|chicago|cologne|copenhagen|dallas|delhi|denver|detroit|dresden|dubai|dublin|düsseldorf|edinburgh|"
    "florence|frankfurt|geneva|glasgow|hamburg|hanoi|havana|helsinki|hong kong|houston|istanbul|jakarta|jerusalem|"
    "johannesburg|kyiv|kyoto|lagos|leipzig|lima|lisbon|liverpool|london|los angeles|lyon|madrid|manchester|manhattan|"
    "manila|melbourne|mexico city|miami|milan|montreal|moscow|mumbai|munich|nairobi|naples|new delhi|new york|"
    "new york city|osaka|oslo|ottawa|oxford|palo alto|paris|philadelphia|phoenix|portland|porto|prague|quito|rio de "
    "janeiro|rome|rotterdam|salzburg|san diego|san francisco|santiago|são paulo|seattle|seoul|seville|shanghai|"
    "shenzhen|singapore|sofia|stockholm|stuttgart|sydney|taipei|tallinn|tel aviv|tokyo|toronto|turin|utrecht|"
    "valencia|vancouver|venice|vienna|vilnius|warsaw|washington|wellington|zagreb|zürich|zurich|argentina|australia|austria|bangladesh|"
    "belgium|bolivia|brazil|bulgaria|canada|chile|china|colombia|croatia|cuba|cyprus|czechia|denmark|ecuador|egypt|"
    "england|estonia|ethiopia|europe|finland|france|germany|ghana|greece|hungary|iceland|india|indonesia|iran|iraq|"
    "ireland|israel|italy|japan|kenya|latvia|lithuania|luxembourg|malaysia|mexico|morocco|nepal|the netherlands|"
    "netherlands|new zealand|nigeria|north korea|norway|pakistan|peru|poland|portugal|romania|russia|scotland|serbia|"
    "slovakia|slovenia|south africa|south korea|spain|sweden|switzerland|taiwan|thailand|tunisia|turkey|uganda|ukraine|"
    "united kingdom|uk|united states|usa|uruguay|venezuela|vietnam|wales|africa|asia|california|texas|"
    "florida").split("|"))
COMPANY_ENDINGS: Final = frozenset({"inc", "inc.", "corp", "corp.", "ltd", "ltd.", "llc", "gmbh", "ag", "plc", "sa",
                                    "s.a.", "co.", "corporation", "company", "technologies", "labs", "group"})
