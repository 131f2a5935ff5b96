"""From a letter to its fate: who wrote it, what it asks for, and what is answered, in one commit."""
