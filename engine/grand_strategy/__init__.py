"""Grand strategy games that share their combat, supply and production; each war is played by its `Rulebook`."""
