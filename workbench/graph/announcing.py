"""What a SPARQL endpoint says of itself: SPARQL 1.1 Service Description and VoID, as N-Triples lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from workbench.graph import vocabulary as v

_RESULTS: Final = ("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV", "Turtle",
                   "N-Triples", "RDF_XML", "TriG", "N-Quads", "JSON-LD")
_INPUTS: Final = ("Turtle", "N-Triples", "RDF_XML", "JSON-LD")


def service_lines(endpoint: str, *, reads: bool, updates: bool, triples: int | None = None) -> Iterator[str]:
    """The description of the service at an endpoint.

    Args:
        endpoint: its URL.
        reads, updates: what it can do.
        triples: size of the default graph's dataset, if known.
    """
    service, dataset, graph = "_:service", "_:dataset", "_:default"
    yield _line(service, v.RDF_TYPE, _iri(v.SD + "Service"))
    yield _line(service, v.SD + "endpoint", _iri(endpoint))
    languages = [*(("SPARQL10Query", "SPARQL11Query") if reads else ()), *(("SPARQL11Update",) if updates else ())]
    for language in languages:
        yield _line(service, v.SD + "supportedLanguage", _iri(v.SD + language))
    if reads:
        for name in _RESULTS:
            yield _line(service, v.SD + "resultFormat", _iri(v.FORMATS + name))
        for function in (v.TCG_VALID_AT, v.TCG_KNOWN_AT, v.TCG_OVERLAP, *v.ALLEN_FUNCTIONS):
            yield _line(service, v.SD + "extensionFunction", _iri(function))
            yield _line(_iri(function), v.RDF_TYPE, _iri(v.SD + "Function"))
    if updates:
        for name in _INPUTS:
            yield _line(service, v.SD + "inputFormat", _iri(v.FORMATS + name))
    yield _line(service, v.SD + "feature", _iri(v.SD + "EmptyGraphs"))
    yield _line(service, v.SD + "defaultEntailmentRegime", _iri(v.ENTAILMENT + "Simple"))
    yield _line(service, v.SD + "defaultDataset", dataset)
    yield _line(dataset, v.RDF_TYPE, _iri(v.SD + "Dataset"))
    yield _line(dataset, v.SD + "defaultGraph", graph)
    yield _line(graph, v.RDF_TYPE, _iri(v.SD + "Graph"))
    if triples is not None:
        yield _line(dataset, v.VOID + "triples", _number(triples))


def void_lines(url: str, endpoint: str, dump: str, counts: Mapping[str, int]) -> Iterator[str]:
    """The description of a dataset.

    Args:
        url: of the description; the dataset is `#dataset` of it.
        endpoint: where it can be queried.
        dump: where all of it can be fetched.
        counts: `triples`, `episodes`, `facts`, `entities`.
    """
    dataset = _iri(f"{url}#dataset")
    yield _line(_iri(url), v.RDF_TYPE, _iri(v.VOID + "DatasetDescription"))
    yield _line(_iri(url), v.FOAF_PRIMARY_TOPIC, dataset)
    yield _line(dataset, v.RDF_TYPE, _iri(v.VOID + "Dataset"))
    yield _line(dataset, v.VOID + "sparqlEndpoint", _iri(endpoint))
    yield _line(dataset, v.VOID + "dataDump", _iri(dump))
    yield _line(dataset, v.VOID + "uriSpace", f'"{v.TCG}"')
    yield _line(dataset, v.VOID + "triples", _number(counts["triples"]))
    yield _line(dataset, v.VOID + "documents", _number(counts["episodes"]))
    yield _line(dataset, v.VOID + "entities", _number(counts["entities"]))
    for namespace in (v.TCG, v.PROV, v.RDFS):
        yield _line(dataset, v.VOID + "vocabulary", _iri(namespace))
    part = _iri(f"{url}#facts")
    yield _line(dataset, v.VOID + "propertyPartition", part)
    yield _line(part, v.VOID + "property", _iri(v.TCG_KNOWN_FROM))
    yield _line(part, v.VOID + "triples", _number(counts["facts"]))


def _iri(iri: str) -> str:
    return f"<{iri}>"


def _number(value: int) -> str:
    return f'"{value}"^^<{v.XSD_INTEGER}>'


def _line(subject: str, predicate: str, value: str) -> str:
    return f"{subject} <{predicate}> {value} .\n"
