"""What models are sent: settings, wording, worked examples, messages."""
