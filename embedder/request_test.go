package embedder_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/embedder"
)

func TestRequestsHoldEightTextsAndNoOptions(t *testing.T) {
	bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
		all := texts(20)
		all[0], all[7], all[19] = "", " \n\t ", "🎉" // the last is blank to BERT
		got, err := o.Embed(t.Context(), embedder.Document, all)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range got {
			want := "ok"
			if i == 0 || i == 7 || i == 19 {
				want = "blank"
			} else if cosine := dot(e.Vector, unitVector(all[i])); cosine < 1-1e-6 {
				t.Errorf("text %d has the vector of another", i)
			}
			if outcome(e) != want {
				t.Errorf("text %d: %s, want %s", i, outcome(e), want)
			}
		}
		request := func(from, to int) map[string]any {
			var inputs []any
			for i := from; i < to; i++ {
				if i != 7 {
					inputs = append(inputs, all[i])
				}
			}
			return map[string]any{"model": "all-minilm", "input": inputs, "truncate": false, "options": nil}
		}
		if diff := cmp.Diff([]map[string]any{request(1, 10), request(10, 18), request(18, 19)}, s.requests[1:]); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
	})
}

func TestPrefixesByFamily(t *testing.T) {
	const sentence = "Represent this sentence for searching relevant passages: "
	const qwen = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
	tests := []struct{ model, query, document string }{
		{"all-minilm", "", ""},
		{"all-minilm:l12-v2", "", ""},
		{"nomic-embed-text", "search_query: ", "search_document: "},
		{"nomic-embed-text:v1.5", "search_query: ", "search_document: "},
		{"hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q8_0", "search_query: ", "search_document: "},
		{"mxbai-embed-large", sentence, ""},
		{"embeddinggemma:300m", "task: search result | query: ", "title: none | text: "},
		{"hf.co/Qwen/Qwen3-Embedding-0.6B-GGUF", qwen, ""},
		{"qwen3-embedding:8b", qwen, ""},
		{"snowflake-arctic-embed:137m", sentence, ""},
		{"hf.co/Snowflake/snowflake-arctic-embed-m-v1.5", sentence, ""},
		{"snowflake-arctic-embed2", "query: ", ""},
		{"hf.co/Snowflake/snowflake-arctic-embed-l-v2.0", "query: ", ""},
		{"bge-m3", "", ""},
		{"bge-large", sentence, ""},
		{"someone/bge-small-en-v1.5:f16", sentence, ""},
		{"bge-base-zh-v1.5", "为这个句子生成表示以用于检索相关文章：", ""},
		{"e5-small-v2", "query: ", "passage: "},
		{"jeffh/intfloat-e5-base-v2:f16", "", ""},
		{"multilingual-e5-large", "query: ", "passage: "},
		{"multilingual-e5-large-instruct", "", ""},
		{"granite-embedding", "", ""},
		{"nomic-embed-text/of-another", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.model, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStandIn(t)
				s.show["details"] = map[string]any{"family": "other"}
				s.HandleFunc("GET /named/api/tags", func(w http.ResponseWriter, _ *http.Request) {
					answer(w, 200, fmt.Sprintf(`{"models":[{"name":%q,"digest":"a1b2"},{"name":%q,"digest":"a1b2"}]}`, tt.model, tt.model+":latest"))
				})
				s.Handle("/named/", http.StripPrefix("/named", &s.ServeMux))
				o := s.ask(t, embedder.OllamaConfig{Host: "ollama.test/named", Model: tt.model})
				for _, role := range []embedder.Role{embedder.Document, embedder.Query} {
					if _, err := o.Embed(t.Context(), role, []string{"Text"}); err != nil {
						t.Fatal(err)
					}
				}
				want := [][]string{{tt.document + "Déjà vu — café: HEAD~3 | A=b"}, {tt.document + "Text"}, {tt.query + "Text"}}
				if diff := cmp.Diff(want, s.sent(1)); diff != "" {
					t.Errorf("inputs (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestOnlyWordPieceModelsGetNormalisedText(t *testing.T) {
	tests := []struct {
		family, tokenizer string
		normalised        bool
	}{
		{"bert", "bert", true},
		{"nomic-bert", "bert", true},
		{"bert", "", true},
		{"", "", true}, // then the architecture decides, which is bert here
		{"bert", "t5", false},
		{"bert", "gpt2", false},
		{"nomic-bert-moe", "t5", false},
		{"gemma3", "llama", false},
	}
	for _, tt := range tests {
		t.Run(tt.family+" "+tt.tokenizer, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *standIn, o *embedder.Ollama) {
				s.show["details"] = map[string]any{"family": tt.family}
				info := map[string]any{"general.architecture": "bert"}
				if tt.tokenizer != "" {
					info["tokenizer.ggml.model"] = tt.tokenizer
				}
				s.show["model_info"] = info
				if _, err := o.Embed(t.Context(), embedder.Document, []string{" Café "}); err != nil {
					t.Fatal(err)
				}
				want := "Café"
				if tt.normalised {
					want = "cafe"
				}
				if diff := cmp.Diff([][]string{{want}}, s.sent(2)); diff != "" {
					t.Errorf("input (-want +got):\n%s", diff)
				}
			})
		})
	}
}
