"""A browser that looks at `course lab` or at the built site, and everything that it asks for on one machine."""


class NotAvailable(Exception):
    """Something that a browser needs cannot be had on this machine; the message says what."""
