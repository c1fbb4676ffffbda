package embedder

import (
	"path"
	"strings"
)

// prefixVersion is part of the fingerprint: raise it with every change of
// prefixes that changes what is sent.
const prefixVersion = 1

// A prefix is what a family of models was trained to see before a text. The
// strings are exact; most end in a space.
type prefix struct {
	model    string // glob over a model's base name in lower case
	query    string
	document string
}

const (
	representSentence = "Represent this sentence for searching relevant passages: "
	representChinese  = "为这个句子生成表示以用于检索相关文章："
	qwenInstruction   = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
)

// prefixes holds the families, the first that matches wins. A model that is not
// here gets its texts as they are.
var prefixes = []prefix{
	// Model card of sentence-transformers/all-MiniLM-L6-v2: none.
	{"all-minilm*", "", ""},
	// Model card of nomic-ai/nomic-embed-text-v1.5, which says that a prefix must be there; mteb, nomic_models.py.
	{"nomic-embed-text*", "search_query: ", "search_document: "},
	// Documentation of mixedbread.ai; mteb, mxbai_models.py.
	{"mxbai-embed-large*", representSentence, ""},
	// Prompts in the configuration of google/embeddinggemma-300m; "none" stands where there is no title.
	{"embeddinggemma*", "task: search result | query: ", "title: none | text: "},
	// mteb, qwen3_models.py; no space follows "Query:".
	{"qwen3-embedding*", qwenInstruction, ""},
	// Model card of Snowflake/snowflake-arctic-embed-l-v2.0, prompt "query"; mteb, arctic_models.py.
	{"snowflake-arctic-embed2*", "query: ", ""},
	{"snowflake-arctic-embed-?-v2*", "query: ", ""},
	// mteb, arctic_models.py, for the first generation and m-v1.5.
	{"snowflake-arctic-embed*", representSentence, ""},
	// Model list of BAAI's FlagEmbedding: an instruction for queries by language, none for bge-m3.
	{"bge-m3*", "", ""},
	{"bge-*-zh*", representChinese, ""},
	{"bge-small*", representSentence, ""},
	{"bge-base*", representSentence, ""},
	{"bge-large*", representSentence, ""},
	// Model cards of intfloat/e5-*-v2 and intfloat/multilingual-e5-*; the instruct models want another form.
	{"*e5*instruct*", "", ""},
	{"e5-*", "query: ", "passage: "},
	{"multilingual-e5-*", "query: ", "passage: "},
}

// prefixFor looks a model up by its name without namespace and tag, so that
// "hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q8_0" is a nomic-embed-text.
func prefixFor(model string) prefix {
	base := strings.ToLower(path.Base(model))
	base, _, _ = strings.Cut(base, ":")
	for _, p := range prefixes {
		if ok, _ := path.Match(p.model, base); ok {
			return p
		}
	}
	return prefix{}
}

func (p prefix) of(role Role) string {
	if role == Query {
		return p.query
	}
	return p.document
}
