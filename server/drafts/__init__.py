"""The drafts of surveys: written by several people at once, checked, previewed, planned and tried."""
