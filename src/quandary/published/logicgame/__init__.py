"""What LogicGame published: prompts, each read into an instance of ours, or left out with why."""
