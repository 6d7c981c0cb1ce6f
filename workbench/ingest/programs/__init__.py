"""Extraction by language models: DSPy programs that draft claims, and the code that decides which of them count.

    workbench.ingest.programs.extractor.load_program("staged", lm)  → an `Extractor`

A program only says what it reads and in which words. Code finds these words in the text, resolves the time phrases,
looks the relations up in the schema, and drops, with the reason, what the text does not bear out.
"""
