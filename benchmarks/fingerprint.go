package benchmarks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/fallback"
	"github.com/skillsearch/skillsearch/skill"
)

// A Fingerprint is all that figures depend on. Two results with one ID were
// made alike.
type Fingerprint struct {
	ID            string   `json:"id"`                // of all that follows
	Collection    string   `json:"collection"`        // documents, queries and judgements
	Index         string   `json:"index"`             // skills, how deep they are embedded and in how many vectors
	Model         string   `json:"model"`             // "" where no vectors are used
	Engine        string   `json:"engine"`            // who computes the vectors
	ModelPrint    string   `json:"model_fingerprint"` // of the model's weights and use
	Configuration string   `json:"configuration"`     // of Settings and the parameters of the words
	Version       string   `json:"version"`           // of this program
	Settings      Settings `json:"settings"`
}

// Settings are what a person may have chosen.
type Settings struct {
	Ranking        string `json:"ranking"`
	IndexDepth     string `json:"index_depth"`  // head, body or full; "" where no vectors are used
	PassageSize    int    `json:"passage_size"` // characters
	PassageVersion int    `json:"passage_version"`
	Depth          int    `json:"depth"` // documents of an answer
	Draws          int    `json:"draws"` // of intervals and tests
	Seed           uint64 `json:"seed"`
}

func (l *Library) fingerprint(ctx context.Context, c *Collection, ranking skillsearch.Ranking, opts Options) (Fingerprint, error) {
	f := Fingerprint{Collection: c.hash(), Version: opts.Version, Settings: Settings{
		Ranking: string(ranking), PassageVersion: skill.PassageVersion, Depth: opts.Depth, Draws: opts.Sampling.draws(), Seed: opts.Sampling.Seed,
	}}
	vectors := 0
	if ranking != skillsearch.Lexical {
		m, err := l.model(ctx)
		if err != nil {
			return f, err
		}
		f.Model, f.Engine, f.ModelPrint = m.Name, m.Engine, m.Fingerprint
		f.Settings.IndexDepth, f.Settings.PassageSize = depthName(l.depth), m.PassageSize
		vectors = l.engine.Status().Vectors
	}
	f.Index = hashOf(l.hash(), f.Settings.IndexDepth, vectors)
	f.Configuration = hashOf(f.Settings, fallback.DefaultParams())
	f.ID = hashOf(f)[:16]
	return f, nil
}

// hash is of everything in the collection.
func (c *Collection) hash() string {
	var judged []string
	for _, qrels := range []Qrels{c.Qrels, c.Rejected} {
		for _, query := range slices.Sorted(maps.Keys(qrels)) {
			for _, document := range slices.Sorted(maps.Keys(qrels[query])) {
				judged = append(judged, fmt.Sprintf("%q %q %d", query, document, qrels[query][document]))
			}
		}
	}
	return hashOf(c.Documents, c.Queries, c.Negatives, judged)
}

// hashOf is the SHA-256, in hex, of values in their JSON form.
func hashOf(values ...any) string {
	h := sha256.New()
	encoder := json.NewEncoder(h)
	for _, v := range values {
		if err := encoder.Encode(v); err != nil {
			panic(fmt.Sprintf("benchmarks: %T has no JSON form: %v", v, err)) // a type of this package
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
