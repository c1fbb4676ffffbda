package embedder_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/embedder"
)

func TestOverlongTextIsEmbeddedInParts(t *testing.T) {
	for _, message := range []string{"the input length exceeds the context length", "input exceeds maximum context length"} {
		t.Run(message, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
				s.embed = func(n int, inputs []string, w http.ResponseWriter) {
					for _, input := range inputs {
						if len(input) > 40 {
							body, _ := json.Marshal(map[string]string{"error": message})
							answer(w, 400, string(body))
							return
						}
					}
					vectors(n, inputs, w)
				}
				long := "one two three four five six seven eight nine ten eleven twelve"
				got, err := o.Embed(t.Context(), embedder.Document, []string{"short", long})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]string{"ok", "2 parts"}, outcomes(got)); diff != "" {
					t.Fatalf("outcomes (-want +got):\n%s", diff)
				}
				left, right := "one two three four five six seven", "eight nine ten eleven twelve"
				want := [][]string{{"short", long}, {"short"}, {long}, {left}, {right}}
				if diff := cmp.Diff(want, s.sent(2)); diff != "" {
					t.Errorf("requests (-want +got):\n%s", diff)
				}
				if cosine := dot(got[1].Vector, weighted(left, right)); cosine < 1-1e-6 {
					t.Errorf("cosine to the weighted mean is %v", cosine)
				}
			})
		})
	}
}

// weighted is the mean of the stand-in's unit vectors, by length of the texts.
func weighted(parts ...string) []float32 {
	sum := make([]float32, 4)
	for _, part := range parts {
		v := vectorOf(part)
		for i := range sum {
			sum[i] += v[i] / float32(norm(v)) * float32(len(part))
		}
	}
	length := float32(norm(sum))
	for i := range sum {
		sum[i] /= length
	}
	return sum
}

func TestATextThatIsTooLongInAnyPieceFailsAlone(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		s.embed = func(n int, inputs []string, w http.ResponseWriter) {
			if strings.Contains(strings.Join(inputs, " "), "ß") {
				answer(w, 400, `{"error":"the input length exceeds the context length"}`)
				return
			}
			vectors(n, inputs, w)
		}
		got, err := o.Embed(t.Context(), embedder.Document, []string{"a", strings.Repeat("ß", 1<<16), "b"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"ok", "failed", "ok"}, outcomes(got)); diff != "" {
			t.Errorf("outcomes (-want +got):\n%s", diff)
		}
		if n := len(s.sent(1)); n > 25 {
			t.Errorf("%d requests, want one for each halving", n)
		}
		refused := map[string]int{}
		for _, inputs := range s.sent(2) {
			refused[strings.Join(inputs, "\n")]++
		}
		for input, n := range refused {
			if n > 1 {
				t.Errorf("request of %d bytes was made %d times", len(input), n)
			}
		}
	})
}
