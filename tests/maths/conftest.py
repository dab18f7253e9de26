"""A test may be slow on a busy machine; that is no failure of the mathematics."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
