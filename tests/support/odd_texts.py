"""Texts with marks, scripts and spaces of all kinds, for whatever cuts texts into pieces."""

TEXTS = [
    "The animal didn't cross the street because it was too tired.",
    "Crème brûlée, naïve façades — “quoted” … déjà vu!",
    "我喜欢 Transformers 模型。日本語のテキスト",
    "x" * 150 + " is a very long word, unbelievablyantidisestablishmentarian is another",
    "",
    "ÅNGSTRÖM İstanbul straße ﬁne ½ e\u0301 \u200b a\tb\nc #hash $5.00 C++ <tag>",
    "👍 emoji 🙃 done; हिन्दी, Ελληνικά, русский\x1c a\x85b\u2028c",
    "word " * 300,  # more than are read
]
MORE = [
    "",
    " ",
    "  two",
    "end  ",
    "\n \n",
    "a\r\n\r\nb",
    "'s 's",
    "x\x00\x1c\x85y",
    "I'LL i'll",
    "🏳️‍🌈 ̈a",
    "٣½Ⅷ²x_y",
    "\u3000\u2028z",
]
