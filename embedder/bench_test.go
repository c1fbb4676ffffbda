package embedder_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/skillsearch/skillsearch/embedder"
)

// BenchmarkOllamaIndexing holds what the client costs: it embeds the same
// batches of 8 through Embed and through a bare loop over net/http, by turns,
// and reports the ratio of their rates. At 1 the client is free; it should stay
// above 0.95.
func BenchmarkOllamaIndexing(b *testing.B) {
	o := realServer(b, "")
	if _, err := o.Model(b.Context()); err != nil {
		b.Fatal(err)
	}
	ours := func(texts []string) error {
		_, err := o.Embed(b.Context(), embedder.Document, texts)
		return err
	}
	bare := func(texts []string) error { return bareEmbed(o.Host(), texts) }

	random := rand.New(rand.NewPCG(1, 2))
	var oursTime, bareTime time.Duration
	n := 0
	for b.Loop() {
		batch := descriptions(random, 8)
		if n++; n%2 == 0 {
			oursTime += clock(b, ours, batch)
			bareTime += clock(b, bare, batch)
		} else {
			bareTime += clock(b, bare, batch)
			oursTime += clock(b, ours, batch)
		}
	}
	b.ReportMetric(float64(8*n)/oursTime.Seconds(), "ours-texts/s")
	b.ReportMetric(float64(8*n)/bareTime.Seconds(), "bare-texts/s")
	b.ReportMetric(bareTime.Seconds()/oursTime.Seconds(), "ours/bare")
}

func clock(b *testing.B, embed func([]string) error, texts []string) time.Duration {
	start := time.Now()
	if err := embed(texts); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

func bareEmbed(host string, texts []string) error {
	body, err := json.Marshal(map[string]any{"model": "all-minilm", "input": texts})
	if err != nil {
		return err
	}
	resp, err := http.Post(host+"/api/embed", "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var answer struct{ Embeddings [][]float32 }
	return json.NewDecoder(resp.Body).Decode(&answer)
}

// descriptions are of 30 to 60 plain words, so that both ways send the same tokens.
func descriptions(random *rand.Rand, n int) []string {
	words := strings.Fields("use when the user asks to build review deploy test a service table query pipeline report from files with python and kubernetes")
	texts := make([]string, n)
	for i := range texts {
		text := make([]string, 30+random.IntN(31))
		for j := range text {
			text[j] = words[random.IntN(len(words))]
		}
		texts[i] = strings.Join(text, " ")
	}
	return texts
}

// BenchmarkNormalise is of one real passage length, in plain English and in the
// worst case where no character is ASCII.
func BenchmarkNormalise(b *testing.B) {
	for name, text := range map[string]string{
		"plain": strings.Repeat("plain words in a row ", 57),
		"odd":   strings.Repeat("“é—🚀”", 240),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				embedder.Normalise(text)
			}
		})
	}
}
