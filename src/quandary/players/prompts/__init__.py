"""The prompts of models: settings, wording, worked examples, messages."""
