// Package wordpiece answers: which tokens does an uncased BERT model see in a
// text? It gives the ids of the reference tokenizer of bert-base-uncased and
// of the models that share its vocabulary, all-MiniLM-L6-v2 among them.
package wordpiece

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// The tokens that frame a text or stand for an unknown word.
const (
	unknownToken = "[UNK]"
	firstToken   = "[CLS]"
	lastToken    = "[SEP]"
)

// continuation marks the vocabulary's pieces that continue a word.
const continuation = "##"

// maxWord is the number of runes above which a word is unknown without being
// looked up, as in the reference.
const maxWord = 100

// A Tokenizer turns texts into token ids. It is immutable and safe for
// concurrent use.
type Tokenizer struct {
	initial   map[string]int32 // pieces that begin a word
	following map[string]int32 // pieces that continue one, without their mark
	longest   int              // bytes of the longest piece

	unknown, first, last int32
}

// Load reads a vocabulary: one token a line, the line's number from 0 being
// its id. It fails when [UNK], [CLS] or [SEP] is missing or a token comes
// twice.
func Load(vocab []byte) (*Tokenizer, error) {
	lines := strings.Split(strings.TrimSuffix(string(vocab), "\n"), "\n")
	t := &Tokenizer{
		initial:   make(map[string]int32, len(lines)),
		following: make(map[string]int32, len(lines)/4),
	}
	for id, token := range lines {
		if !t.add(token, int32(id)) {
			return nil, fmt.Errorf("load vocabulary: line %d: token %q comes twice", id+1, token)
		}
	}
	for token, id := range map[string]*int32{unknownToken: &t.unknown, firstToken: &t.first, lastToken: &t.last} {
		found, ok := t.initial[token]
		if !ok {
			return nil, fmt.Errorf("load vocabulary: no token %s", token)
		}
		*id = found
	}
	return t, nil
}

// add enters one token and reports whether it is new.
func (t *Tokenizer) add(token string, id int32) bool {
	pieces := t.initial
	if rest, ok := strings.CutPrefix(token, continuation); ok && rest != "" {
		token, pieces = rest, t.following
	}
	t.longest = max(t.longest, len(token))
	before := len(pieces)
	pieces[token] = id
	return len(pieces) > before
}

// Encode returns the ids of text between [CLS] and [SEP], at most max of them:
// what is over is cut off before [SEP]. A max below 2 counts as 2. Special
// tokens that are written out in text are ordinary words.
func (t *Tokenizer) Encode(text string, max int) []int32 {
	limit := maxInner(max)
	ids := append(make([]int32, 0, capacity(text, limit)), t.first)
	words(text, func(word []byte) bool {
		ids = t.appendPieces(ids, word)
		return len(ids)-1 < limit
	})
	if len(ids)-1 > limit {
		ids = ids[:limit+1]
	}
	return append(ids, t.last)
}

// Count returns how many ids text has, [CLS] and [SEP] included: the length of
// Encode without a limit.
func (t *Tokenizer) Count(text string) int {
	n := 2
	var room [maxWord]int32
	words(text, func(word []byte) bool {
		n += len(t.appendPieces(room[:0], word))
		return true
	})
	return n
}

// maxInner is the number of ids that fit between [CLS] and [SEP].
func maxInner(limit int) int {
	return max(limit-2, 0)
}

// capacity guesses the length of an encoding: English has about four bytes a
// token.
func capacity(text string, limit int) int {
	return min(len(text)/3, limit, math.MaxInt16) + 2
}

// appendPieces appends the ids of one word: the longest piece of the
// vocabulary that begins it, the longest that continues it, and so on; or
// [UNK] where that does not come out.
func (t *Tokenizer) appendPieces(ids []int32, word []byte) []int32 {
	if utf8.RuneCount(word) > maxWord {
		return append(ids, t.unknown)
	}
	before, pieces := len(ids), t.initial
	for len(word) > 0 {
		id, length := t.longestPiece(pieces, word)
		if length == 0 {
			return append(ids[:before], t.unknown)
		}
		ids = append(ids, id)
		word, pieces = word[length:], t.following
	}
	return ids
}

// longestPiece returns the longest piece that word begins with, and its length
// in bytes, which is 0 when there is none.
func (t *Tokenizer) longestPiece(pieces map[string]int32, word []byte) (id int32, length int) {
	for length = min(len(word), t.longest); length > 0; length-- {
		if id, ok := pieces[string(word[:length])]; ok {
			return id, length
		}
	}
	return 0, 0
}
