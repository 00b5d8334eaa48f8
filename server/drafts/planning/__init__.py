"""The plan of a draft: people needed, margins, and the best ways to ask."""
