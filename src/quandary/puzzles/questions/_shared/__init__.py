"""What questions of several groups share."""
