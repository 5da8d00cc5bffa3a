"""What categories of execution share."""
