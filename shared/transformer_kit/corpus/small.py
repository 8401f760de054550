"""The words of a small part of the grammar, which a small Transformer learns while you wait."""

from transformer_kit.corpus.tables import rows

SMALL_WORDS = frozenset(
    word
    for (line,) in rows("""
        . ? i you he she we they ana pedro boy girl the a an my his this these two three many not
        like likes see sees eat eats want wants have has do does am is are there in on
        cat cats dog dogs bird birds apple apples orange oranges book books car cars house houses
        table tables shirt shirts bread milk coffee red white black green big small new old beautiful good
    """)
    for word in line.split()
)
