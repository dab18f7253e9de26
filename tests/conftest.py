import hypothesis

# A slow machine is no failure, and a failure can be replayed from its message.
hypothesis.settings.register_profile("course", deadline=None, print_blob=True)
hypothesis.settings.load_profile("course")
