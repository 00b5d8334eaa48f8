"""The page for ethics boards: what a survey collects, what can be learned from it, what is not protected."""
