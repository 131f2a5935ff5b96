"""A tiny game that fulfils the whole contract: the guide for whoever adds a game."""
