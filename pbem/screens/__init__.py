"""What a GM reads on his screen, and some of it by mail: matches, letters, mails, proofs and copies."""
