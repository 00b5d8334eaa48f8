"""The domain: questions, channels, randomizing, estimates and what an observer can learn."""
