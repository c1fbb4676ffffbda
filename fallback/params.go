package fallback

// A Field says how much a word in one field of a skill counts.
//
// Weight multiplies the word's count; a field of weight 0 is left out of the
// index, so that its words count neither for a score nor for how rare a word
// is. B, from 0 to 1, is how far the field's length counts against it: 0 not at
// all, 1 in full.
type Field struct {
	Weight float64
	B      float64
}

// Params are the constants of BM25F (Robertson and Zaragoza, "The Probabilistic
// Relevance Framework: BM25 and Beyond", 2009, section 3.5). All are 0 or above.
// K1 is how late the counts of a word saturate.
type Params struct {
	K1          float64
	Rarity      float64 // power of a word's idf that counts: below 1 rare words weigh less
	Phrase      float64 // what two words count that follow each other as in the query; 0 leaves phrases out of the index
	NameShare   float64 // what a name adds all of whose words the query has; for some of them, their share
	WholeName   float64 // what a name adds that is the whole query, in any spelling
	Misspelt    bool    // a word that no skill has is read as the one that it misspells
	Name        Field
	Title       Field // its words count where the name lacks them
	Description Field
	Tags        Field
	Body        Field
}

// DefaultParams are the ones for searching skills. They were chosen on what
// authors and users of public skills ask for, and lie on a plateau: a name that
// weighs 1 to 5, titles and tags 0 to 3, a body 0.2 to 0.5, K1 from 0.8 to 2,
// Rarity 0.5 to 0.8, Phrase 0.2 to 0.5 or NameShare 1 to 4 each change the mean
// nDCG@10 by less than 0.005, as chance does. What matters is that a word of the
// body counts a tenth of one in the name, since bodies are long and speak of
// much that their skill is not for; that one rare word, as often a file's name
// as a need, does not outweigh several common ones; and that phrases and names
// count (docs/decisions/021-words.md). WholeName is more than words can add.
func DefaultParams() Params {
	return Params{
		K1:          1.2,
		Rarity:      0.7,
		Phrase:      0.4,
		NameShare:   2,
		WholeName:   10,
		Misspelt:    true,
		Name:        Field{Weight: 3, B: 0.3},
		Title:       Field{Weight: 2, B: 0.5},
		Description: Field{Weight: 2, B: 0.5},
		Tags:        Field{Weight: 2, B: 0.3},
		Body:        Field{Weight: 0.3, B: 0.75},
	}
}

// PlainParams are those of BM25 over one text, which is read from the body; the
// other fields are left out. Published figures for BM25 are reproduced with it,
// from skills whose body holds title and text of a document.
func PlainParams(k1, b float64) Params {
	return Params{K1: k1, Rarity: 1, Body: Field{Weight: 1, B: b}}
}

// The fields, in the order in which they are read.
const (
	fieldName = iota
	fieldTitle
	fieldDescription
	fieldTags
	fieldBody
	fieldCount
)

// fields are the settings in the order of the constants above.
func (p Params) fields() [fieldCount]Field {
	return [fieldCount]Field{p.Name, p.Title, p.Description, p.Tags, p.Body}
}
