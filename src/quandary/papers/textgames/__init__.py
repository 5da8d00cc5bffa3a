"""TextGames as published: problems, replies, and the verdicts of its graders, bug for bug."""
