"""The lessons about privacy and chance, which run wholly in the browser."""
