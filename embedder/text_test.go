package embedder_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/embedder"
)

func TestNormaliseWritesWhatBERTWouldRead(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		" \n\t\u00a0\u3000\u200b ":     "",
		"Plain text, as it is.":        "plain text, as it is.",
		"Déjà vu — café: HEAD~3 | A=b": probeNormalised,
		"“quoted”, „so“ «too» don’t ‘it’":     `"quoted", "so" "too" don't 'it'`,
		"foo—bar 1–2 a−b well‑known":          "foo - bar 1 - 2 a - b well - known",
		"wait… what":                          "wait... what",
		"• one ‣ two ◦ three":                 "* one * two * three",
		"你好，世界。（是）！":                          "你好,世界. (是)!",
		"`kubectl get` $HOME <b> a^b 1+1":     "` kubectl get ` $ home < b > a ^ b 1 + 1",
		"a→b ≥3 ×2 50€":                       "a → b ≥ 3 × 2 50 €",
		"🚀 ship 👩‍👩‍👧 it ├── x":               "ship it ─ ─ x",
		"ﬁle ① ½ x² ＡＢＣ＝１":                    "file 1 1 ⁄ 2 x2 abc = 1",
		"İstanbul Straße ΣΊΣΥΦΟΣ":             "istanbul straße σισυφοσ",
		"soft\u00adhyphen e\u0301 ue01f\x00a": "softhyphen e ue01fa",
		"1️⃣ keycap \ue0a0icon":               "1 keycap icon",
		"\xff bad \xc3(":                      "bad (",
		"§5 «·» ¿qué?":                        `5 " " que?`,
		"हिन्दी":                              "हिनदी",
	} {
		if diff := cmp.Diff(want, embedder.Normalise(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// checkNormalised holds the laws of normalised text: what Ollama's WordPiece
// breaks at is gone.
func checkNormalised(t *testing.T, text string) {
	t.Helper()
	got := embedder.Normalise(text)
	if !utf8.ValidString(got) {
		t.Fatalf("%q: %q is not UTF-8", text, got)
	}
	if again := embedder.Normalise(got); again != got {
		t.Fatalf("%q: %q becomes %q when normalised again", text, got, again)
	}
	if strings.Join(strings.Fields(got), " ") != got {
		t.Fatalf("%q: %q has other space than single blanks", text, got)
	}
	for word := range strings.FieldsSeq(got) {
		for _, r := range word {
			switch {
			case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cc, unicode.Cf, unicode.Co):
				t.Fatalf("%q: %q has the mark or control character %U", text, got, r)
			case r >= utf8.RuneSelf && unicode.IsPunct(r):
				t.Fatalf("%q: %q has the punctuation %U, which is cut after its first byte", text, got, r)
			case unicode.IsSymbol(r) && utf8.RuneCountInString(word) > 1:
				t.Fatalf("%q: %q has the symbol %U inside a word", text, got, r)
			case unicode.ToLower(r) != r:
				t.Fatalf("%q: %q has the capital %U", text, got, r)
			}
		}
	}
}

func TestNormaliseLawsHoldForEveryCharacter(t *testing.T) {
	for r := range rune(unicode.MaxRune + 1) {
		checkNormalised(t, "a"+string(r)+"b")
	}
}

func FuzzNormalise(f *testing.F) {
	for _, seed := range []string{"Déjà vu — café: HEAD~3 | A=b", "１️⃣\u200d👩‍👧 “q”", "\xff\xc3(", "각가\u1161\u11a8", strings.Repeat("\u0301", 40)} {
		f.Add(seed)
	}
	f.Fuzz(checkNormalised)
}

func checkHalves(t *testing.T, text string) {
	t.Helper()
	left, right, ok := embedder.Halve(text)
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	switch {
	case ok && squeeze(left+right) != squeeze(text):
		t.Fatalf("%q: halves %q and %q lose something", text, left, right)
	case ok && (strings.TrimSpace(left) == "" || strings.TrimSpace(right) == ""):
		t.Fatalf("%q: halves %q and %q, one is blank", text, left, right)
	case !ok && utf8.RuneCountInString(strings.TrimSpace(text)) >= 16:
		t.Fatalf("%q is long enough to be halved", text)
	case ok && utf8.ValidString(text) && !(utf8.ValidString(left) && utf8.ValidString(right)):
		t.Fatalf("%q: halves %q and %q cut a character", text, left, right)
	}
}

func FuzzHalve(f *testing.F) {
	for _, seed := range []string{"one two three four five", strings.Repeat("👩‍👩‍👧", 9), strings.Repeat("e\u0301", 30), "\xff\xc3(" + strings.Repeat("\x80", 30)} {
		f.Add(seed)
	}
	f.Fuzz(checkHalves)
}

func TestHalvesPreferSpaceAndKeepCharactersWhole(t *testing.T) {
	tests := []struct{ text, left, right string }{
		{"one two three four five", "one two three", "four five"},
		{"a bbbbbbbbbbbbbbbbbbbbbbbbbbbb", "a bbbbbbbbbbbbb", "bbbbbbbbbbbbbbb"},
		{strings.Repeat("👩‍👩‍👧", 5), strings.Repeat("👩‍👩‍👧", 2), strings.Repeat("👩‍👩‍👧", 3)},
		{strings.Repeat("👍🏽", 9), strings.Repeat("👍🏽", 4), strings.Repeat("👍🏽", 5)},
		{strings.Repeat("e\u0301", 9), strings.Repeat("e\u0301", 4), strings.Repeat("e\u0301", 5)},
		{"aaaaaaa🇩🇪aaaaaaa", "aaaaaaa", "🇩🇪aaaaaaa"},
		{strings.Repeat("\u1100\u1161\u11a8", 6), strings.Repeat("\u1100\u1161\u11a8", 3), strings.Repeat("\u1100\u1161\u11a8", 3)},
		{"语言语言语言语言语言语言语言语言", "语言语言语言语言", "语言语言语言语言"},
	}
	for _, tt := range tests {
		checkHalves(t, tt.text)
		left, right, ok := embedder.Halve(tt.text)
		if !ok || left != tt.left || right != tt.right {
			t.Errorf("%q: %q and %q (%v), want %q and %q", tt.text, left, right, ok, tt.left, tt.right)
		}
	}
	for _, short := range []string{"", "a", "fifteen letters", "               sixteen"} {
		if left, right, ok := embedder.Halve(short); ok {
			t.Errorf("%q: halved into %q and %q", short, left, right)
		}
	}
}
