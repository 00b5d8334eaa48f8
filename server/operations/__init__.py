"""Pages for operators: health, metrics and the audit log."""
