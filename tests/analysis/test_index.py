"""The index in memory: products with a query, and BM25."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.analysis.index import TermIndex, of_texts, rarity
from kb.analysis.words import terms

TEXTS = ("The dealer turned the trump card.", "A card led out of turn may be called.", "")
VECTOR = st.dictionaries(st.sampled_from("abcdef"), st.floats(0.1, 9), max_size=5)


@given(st.lists(VECTOR, max_size=6), VECTOR)
def test_products_equal_dot_products_of_the_vectors(rows: list[dict[str, float]], query: dict[str, float]) -> None:
    expected = [sum(weight * row.get(term, 0.0) for term, weight in query.items()) for row in rows]
    assert TermIndex.of_rows(rows).products(query).tolist() == pytest.approx(expected)


@given(st.lists(st.frozensets(st.sampled_from("abc")), max_size=6))
def test_term_is_rarer_the_fewer_rows_have_it(rows: list[frozenset[str]]) -> None:
    index = TermIndex.of_rows([dict.fromkeys(row, 1.0) for row in rows])
    for term in "abc":
        seen = sum(term in row for row in rows)
        assert index.rarity(term) == (rarity(seen, len(rows)) if seen else 0.0)


def test_text_with_more_and_rarer_query_terms_ranks_first() -> None:
    first, second, empty = of_texts(TEXTS).products(dict.fromkeys(terms("trump card of the dealer"), 1.0))
    assert first > second > 0 == empty


@given(st.lists(st.text(max_size=40), max_size=6), st.text(max_size=60))
def test_index_accepts_any_texts_and_queries(texts: list[str], question: str) -> None:
    scores = of_texts(texts).products(dict.fromkeys(terms(question), 1.0))
    assert len(scores) == len(texts) and (scores >= 0).all()
