package wordpiece_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/data"
	"github.com/skillsearch/skillsearch/embedder/minilm"
	"github.com/skillsearch/skillsearch/embedder/wordpiece"
)

const (
	unknown = 100
	first   = 101
	last    = 102
	size    = 30522
)

// bert returns the tokenizer of bert-base-uncased's vocabulary, which lies in
// the weights file.
func bert(t testing.TB) *wordpiece.Tokenizer {
	t.Helper()
	m, err := minilm.Load(data.MiniLM())
	if err != nil {
		t.Fatal(err)
	}
	return m.Tokenizer()
}

// A row is a text and the ids that the reference tokenizer gives it.
type row struct {
	text string
	ids  []int32
}

func (r *row) UnmarshalJSON(line []byte) error {
	return json.Unmarshal(line, &[]any{&r.text, &r.ids})
}

// golden reads testdata/tokens.jsonl.gz, which scripts/builtin-model/golden.py
// writes with the tokenizers package.
func golden(t testing.TB) []row {
	t.Helper()
	f, err := os.Open("testdata/tokens.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for d := json.NewDecoder(unzipped); ; {
		var r row
		switch err := d.Decode(&r); err {
		case nil:
			rows = append(rows, r)
		case io.EOF:
			return rows
		default:
			t.Fatal(err)
		}
	}
}

func TestIDsEqualTheReferenceTokenizer(t *testing.T) {
	tokenizer, rows := bert(t), golden(t)
	if len(rows) < 2000 {
		t.Fatalf("%d golden rows, want 2,000", len(rows))
	}
	for _, r := range rows {
		if diff := cmp.Diff(r.ids, tokenizer.Encode(r.text, math.MaxInt)); diff != "" {
			t.Errorf("%q (-reference +got):\n%s", r.text, diff)
		}
	}
}

func TestEncodeCutsBeforeTheLastToken(t *testing.T) {
	tokenizer := bert(t)
	const text = "unbelievable kubernetes deployment!" // "un ##bel ##ie ##vable kub ##ern ##ete ##s deployment !"
	all := tokenizer.Encode(text, math.MaxInt)
	for limit := range len(all) + 3 {
		keep := min(max(limit, 2), len(all))
		want := append(append([]int32{}, all[:keep-1]...), last)
		if diff := cmp.Diff(want, tokenizer.Encode(text, limit)); diff != "" {
			t.Errorf("limit %d (-want +got):\n%s", limit, diff)
		}
	}
}

func TestTextsThatTokenizersDifferIn(t *testing.T) {
	tokenizer := bert(t)
	// Each text must have the ids of the plain one beside it.
	same := map[string]string{
		"accents":            "Café NAÏVE\x00cafe naive",
		"decomposed":         "cafe\u0301\x00cafe",
		"symbols split":      "HEAD~3 A=b\x00head ~ 3 a = b",
		"dashes split":       "foo—bar\x00foo — bar",
		"ideographs split":   "数据\x00数 据",
		"controls vanish":    "wo\u0007rd\u200b\x00word",
		"broken UTF-8":       "wo\xffrd\x00word",
		"odd white space":    "a\u00a0b\u3000c\u2028d\x00a b c d",
		"special tokens are": "[CLS]\x00[ cls ]",
	}
	for name, pair := range same {
		text, plain, _ := strings.Cut(pair, "\x00")
		if diff := cmp.Diff(tokenizer.Encode(plain, 99), tokenizer.Encode(text, 99)); diff != "" {
			t.Errorf("%s: %q has other ids than %q (-want +got):\n%s", name, text, plain, diff)
		}
	}
}

func TestWordsOverAHundredCharactersAreUnknown(t *testing.T) {
	tokenizer := bert(t)
	for _, char := range []string{"a", "д"} {
		if got := tokenizer.Encode(strings.Repeat(char, 100), 999); cmp.Equal(got, []int32{first, unknown, last}) {
			t.Errorf("100 times %q is unknown, want pieces", char)
		}
		want := []int32{first, unknown, last}
		if diff := cmp.Diff(want, tokenizer.Encode(strings.Repeat(char, 101), 999)); diff != "" {
			t.Errorf("101 times %q (-want +got):\n%s", char, diff)
		}
	}
}

func TestBrokenVocabulariesAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ vocab, want string }{
		"empty":        {"", "no token"},
		"no [UNK]":     {"[CLS]\n[SEP]\na", "no token [UNK]"},
		"no [SEP]":     {"[UNK]\n[CLS]\na", "no token [SEP]"},
		"twice":        {"[UNK]\n[CLS]\n[SEP]\na\nb\na", `line 6: token "a" comes twice`},
		"piece twice":  {"[UNK]\n[CLS]\n[SEP]\n##a\n##a", `line 5: token "##a" comes twice`},
		"nothing else": {"[UNK]\n[CLS]\n[SEP]", ""},
		"final break":  {"[UNK]\n[CLS]\n[SEP]\n", ""},
	} {
		_, err := wordpiece.Load([]byte(c.vocab))
		if c.want == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// FuzzEncode holds the laws of any encoding.
func FuzzEncode(f *testing.F) {
	tokenizer := bert(f)
	for _, r := range golden(f)[:200] {
		f.Add(r.text, len(r.ids)/2)
	}
	f.Add("broken \xff\xc3( UTF-8 \xed\xa0\x80", 5)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		all := tokenizer.Encode(text, math.MaxInt)
		if n := tokenizer.Count(text); n != len(all) {
			t.Errorf("Count %d, want %d", n, len(all))
		}
		if all[0] != first || all[len(all)-1] != last {
			t.Errorf("ids %v are not framed", all)
		}
		for _, id := range all {
			if id < 0 || id >= size {
				t.Errorf("id %d is not in the vocabulary", id)
			}
		}
		cut := tokenizer.Encode(text, limit)
		keep := min(max(limit, 2), len(all))
		if diff := cmp.Diff(append(all[:keep-1:keep-1], last), cut); diff != "" {
			t.Errorf("limit %d (-want +got):\n%s", limit, diff)
		}
	})
}

// FuzzASCII holds that the short way for ASCII equals the general one, which a
// character that leaves no trace leads to.
func FuzzASCII(f *testing.F) {
	tokenizer := bert(f)
	for _, r := range golden(f)[:200] {
		f.Add(r.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.Map(func(r rune) rune { return r & 0x7f }, text)
		const noTrace = "\u200b"
		if diff := cmp.Diff(tokenizer.Encode(text+noTrace, 999), tokenizer.Encode(text, 999)); diff != "" {
			t.Errorf("%q (-general +ASCII):\n%s", text, diff)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	tokenizer := bert(b)
	const ascii = "Extract text and tables from PDF files, fill in forms, and merge documents. "
	for name, text := range map[string]string{
		"ascii": strings.Repeat(ascii, 50),
		"mixed": strings.Repeat(ascii+"Déjà vu — 数据 ", 50),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				tokenizer.Count(text)
			}
		})
	}
}

func ExampleTokenizer_Encode() {
	m, err := minilm.Load(data.MiniLM())
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Tokenizer().Encode("Café déjà-vu", 256))
	// Output: [101 7668 2139 3900 1011 24728 102]
}
