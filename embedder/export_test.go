package embedder

// For tests of laws that would need a million requests through Embed.
var (
	Normalise = normalise
	Halve     = halve
)
