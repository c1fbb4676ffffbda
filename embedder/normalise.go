package embedder

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normaliserVersion is part of the fingerprint: raise it with every change of
// normalise that changes what is sent.
const normaliserVersion = 1

// spelling writes punctuation that Ollama's WordPiece cuts after its first
// byte, with the word behind it, as the ASCII that a reader takes it for. Full
// width forms need no line: NFKD has made ASCII of them before.
var spelling = strings.NewReplacer(
	"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`,
	"‘", "'", "’", "'", "ʼ", "'",
	"‐", " - ", "‒", " - ", "–", " - ", "—", " - ", "―", " - ", "−", " - ",
	"•", " * ", "‣", " * ", "⁃", " * ", "◦", " * ",
	"。", ". ", "、", ", ",
)

// vocabularySymbols are the non-ASCII symbols (Unicode category S) that are
// words of their own in the 30,522 words of BERT's uncased vocabulary and that
// NFKD leaves as they are.
const vocabularySymbols = "¢£¤¥¦©¬®°±×÷⁄₤₩€₱₹←↑→↓↔↦⇄⇌⇒∂∅∆∇∈∗∘√∞∧∨∩∪≈≡≤≥⊂⊆⊕⊗⋅─│■▪●★☆☉♠♣♥♦♭♯⺩⺼"

// normalise writes a text so that the WordPiece tokenizer of Ollama 0.13.5 and
// later gives it the tokens that BERT's own tokenizer would. Ollama's strips
// no accents, splits words at no symbol and breaks every punctuation mark that
// is not ASCII, so that a word next to one is lost to the model as [UNK].
// The answer is valid UTF-8, lower case, with single spaces; normalising it
// again changes nothing.
func normalise(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	for _, r := range spelling.Replace(norm.NFKD.String(text)) {
		writeNormalised(&b, r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func writeNormalised(b *strings.Builder, r rune) {
	switch {
	case unicode.IsSpace(r):
		b.WriteByte(' ')
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Cc, unicode.Co):
		// Accents, joiners and icon fonts are no part of a word.
	case r < utf8.RuneSelf && !unicode.IsSymbol(r):
		b.WriteByte(byte(unicode.ToLower(r)))
	case r < utf8.RuneSelf || strings.ContainsRune(vocabularySymbols, r):
		b.WriteByte(' ')
		b.WriteRune(r)
		b.WriteByte(' ')
	case unicode.IsPunct(r) || unicode.IsSymbol(r):
		b.WriteByte(' ')
	default:
		b.WriteRune(unicode.ToLower(r))
	}
}
