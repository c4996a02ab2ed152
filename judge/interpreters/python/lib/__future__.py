"""What newer versions of Python do by themselves; here nothing looks at type hints anyway."""

annotations = division = print_function = generator_stop = None
