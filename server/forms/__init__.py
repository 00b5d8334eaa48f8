"""Every form, without a web framework: what a submission, a draft and an account may hold."""
