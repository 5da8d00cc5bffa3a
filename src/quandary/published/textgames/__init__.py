"""TextGames as it was published: problems, replies, and the verdicts its graders gave, bug for bug."""
