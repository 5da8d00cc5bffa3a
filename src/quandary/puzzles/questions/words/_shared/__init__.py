"""What questions about words share."""
