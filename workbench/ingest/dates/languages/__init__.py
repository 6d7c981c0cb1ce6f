"""The languages of the grammar, one table a module. A new one is a module with `LANGUAGE` and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from workbench.ingest.dates.languages import de, en, es, fr, ja, pt, zh
from workbench.ingest.dates.lexicon import Language

LANGUAGES: Final[Mapping[str, Language]] = {
    language.code: language for language in (en.LANGUAGE, de.LANGUAGE, es.LANGUAGE, fr.LANGUAGE, pt.LANGUAGE,
                                             zh.LANGUAGE, ja.LANGUAGE)}
