"""Tables for the model card."""


def markdown_table(head, *rows, others="---:"):
    """Write a table as Markdown.

    Parameters
    ----------
    head : sequence of str
    *rows : sequence of str
    others : str
        How all columns but the first are aligned.

    Returns
    -------
    str
    """
    lines = [head, ("---", *[others] * (len(head) - 1)), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
