"""Every command a mail may hold, one small function each."""
