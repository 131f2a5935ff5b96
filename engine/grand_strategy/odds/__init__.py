"""What a sheet may come to."""
