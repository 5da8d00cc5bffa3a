"""What duels share."""
