"""The rule extractor: plain sentences to claims, without a model."""

from workbench.ingest.rules.extractor import RuleExtractor

__all__ = ["RuleExtractor"]
