package fallback

import "slices"

// Compounds are what a text is cut into before its words are analysed.
func Compounds(text string) []string {
	return slices.Collect(compounds(text))
}
