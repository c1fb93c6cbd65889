from hypothesis import settings

# The suite runs on slow and busy machines: laws are about results, not about milliseconds.
settings.register_profile("hardware", deadline=None)
settings.load_profile("hardware")
