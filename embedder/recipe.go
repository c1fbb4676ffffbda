package embedder

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/ollama/ollama/api"
)

// passageVersion is part of the fingerprint: raise it with every change of
// passageSize, or of how the halves of an over-long text become one vector.
const passageVersion = 1

// A recipe is what is done to a text before a model sees it.
type recipe struct {
	prefix    prefix
	normalise bool
}

func recipeFor(name string, show *api.ShowResponse) recipe {
	return recipe{prefix: prefixFor(name), normalise: wordPiece(show)}
}

// wordPiece says whether Ollama cuts this model's texts with its faulty
// tokenizer. Models such as bge-m3 are of the family too, but bring another.
func wordPiece(show *api.ShowResponse) bool {
	architecture, _ := show.ModelInfo["general.architecture"].(string)
	family := show.Details.Family
	if family == "" {
		family = architecture
	}
	tokenizer, named := show.ModelInfo["tokenizer.ggml.model"].(string)
	return (family == "bert" || family == "nomic-bert") && (!named || tokenizer == "bert")
}

// body is the text without its prefix, in UTF-8, "" when nothing is left of it.
func (r recipe) body(text string) string {
	if r.normalise {
		return normalise(text)
	}
	return strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
}

func (r recipe) inputs(role Role, bodies []string) []string {
	inputs := make([]string, len(bodies))
	for i, body := range bodies {
		inputs[i] = r.prefix.of(role) + body
	}
	return inputs
}

// fingerprint is the hex SHA-256 of what the vectors of m depend on.
func (r recipe) fingerprint(m Model) string {
	normaliser := 0
	if r.normalise {
		normaliser = normaliserVersion
	}
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "digest %s\ndimensions %d\nprefix %d %q %q\nnormaliser %d\npassage %d %d\n",
		m.Digest, m.Dimensions, prefixVersion, r.prefix.query, r.prefix.document, normaliser, passageVersion, m.PassageSize)))
}

// passageSize is in characters. Of windows cut from the bodies of skills, 1.8 %
// have more tokens than fit: over 256 at 600 characters, over 512 at 1,200.
func passageSize(context int) int {
	if context < 512 {
		return 600
	}
	return 1200
}
