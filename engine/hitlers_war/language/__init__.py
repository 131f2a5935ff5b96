"""The words of Hitler's War, scenario by scenario, and its own orders; how they are read is in the family."""
