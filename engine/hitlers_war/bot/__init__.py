"""A player that writes random legal sheets, from the same view and in the same language as everybody else."""
