"""What a reader may know, put into words: reports, receipts, notices, as text and as HTML."""
