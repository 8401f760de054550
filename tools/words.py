"""The words of a report, and those of them that nobody has to unfold."""

import html
import re


def words_of(page):
    """Return the words of HTML, and those before anything that is folded; code and the numbers of a table are none."""
    words = re.sub(r"</?(strong|a|code)\b[^>]*>", "", page)
    words = re.sub(r"<pre.*?</pre>|<td.*?</td>|<th scope=.row.*?</th>", "", words, flags=re.DOTALL)
    everything, shown = words, re.sub(r"<details style.*?</details>", "", words, flags=re.DOTALL)
    return [html.unescape(re.sub(r"<[^>]+>", " ", part)).split() for part in (everything, shown)]
