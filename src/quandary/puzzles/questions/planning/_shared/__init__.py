"""What several questions of this group use."""
