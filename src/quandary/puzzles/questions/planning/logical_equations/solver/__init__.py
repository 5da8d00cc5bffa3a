"""Relations between letters, which numbers fit them, and relations that one solution fits."""
