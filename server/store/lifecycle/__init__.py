"""The course of a survey: its dates and quota, who opens it and why, and the work that closing leaves."""
