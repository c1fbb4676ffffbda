package fallback

import (
	"slices"
	"strings"

	"github.com/skillsearch/skillsearch/skill"
)

// counts is what a reader found in one skill.
type counts struct {
	reader  int                // whose numbers the terms have
	lengths [fieldCount]uint32 // terms in each field
	records []record           // by field
	words   []uint32           // terms as they follow each other, noPlace between fields; nil when phrases don't count
	ends    [fieldCount]int    // of each field in words
}

// name are the records of the name.
func (c counts) name() []record {
	end := slices.IndexFunc(c.records, func(r record) bool { return r.field() != fieldName })
	if end < 0 {
		return c.records
	}
	return c.records[:end]
}

// A record says how often a term occurs in a field.
type record struct {
	term   uint32
	packed uint32 // the field in the top three bits, the count below
}

const countBits = 29

func (r record) field() int    { return int(r.packed >> countBits) }
func (r record) count() uint32 { return r.packed & (1<<countBits - 1) }

// A reader counts terms. It numbers them as they come, and remembers what it has
// analysed once: nearly all compounds of a catalogue occur in it many times.
type reader struct {
	fields    [fieldCount]Field
	splitter  splitter
	terms     map[string]uint32
	names     []string          // by number
	forms     map[string]uint32 // the number of a form's term, or noTerm
	compounds map[string]span
	numbers   []uint32 // what the spans lie in
	counts    []uint32 // by number, in the field at hand
	found     []uint32 // the numbers whose count is not zero
	records   []record
	words     []uint32 // of the skill at hand; empty when phrases don't count
	phrases   bool
}

// noTerm stands for a stop word.
const noTerm = ^uint32(0)

// A span is where the terms of a compound lie.
type span struct{ start, end uint32 }

// maxKept is the longest compound, in bytes, that is remembered.
const maxKept = 48

func newReader(params Params) *reader {
	return &reader{
		fields:    params.fields(),
		terms:     make(map[string]uint32),
		forms:     make(map[string]uint32),
		compounds: make(map[string]span),
		phrases:   params.Phrase > 0,
	}
}

// read counts the terms of a skill.
func (r *reader) read(s *skill.Skill) counts {
	c := counts{}
	r.records, r.words = r.records[:0], r.words[:0]
	for f, text := range fieldTexts(s) {
		if r.fields[f].Weight > 0 {
			c.lengths[f] = r.readField(f, text)
		}
		c.ends[f] = len(r.words)
	}
	c.records, c.words = slices.Clone(r.records), slices.Clone(r.words)
	return c
}

// fieldTexts are the texts of a skill's fields.
func fieldTexts(s *skill.Skill) [fieldCount]string {
	return [fieldCount]string{s.Name, s.Title, s.Description, strings.Join(s.Tags, "\n"), s.Body}
}

// readField adds the records of a field, and returns how many terms it has. A
// name has one more, as a whole, and a title only those that the name lacks.
func (r *reader) readField(f int, text string) uint32 {
	for compound := range compounds(text) {
		numbers := r.analyse(compound)
		for _, n := range numbers {
			if r.counts[n]++; r.counts[n] == 1 {
				r.found = append(r.found, n)
			}
		}
		r.follow(compound, numbers)
	}
	r.follow("", []uint32{noPlace})
	if f == fieldTitle {
		r.forgetNamed()
	}
	length := uint32(0)
	for _, n := range r.found {
		length += r.counts[n]
		r.records = append(r.records, record{term: n, packed: uint32(f)<<countBits | r.counts[n]})
		r.counts[n] = 0
	}
	r.found = r.found[:0]
	if f == fieldName {
		length += r.readWholeName(text)
	}
	return length
}

// follow notes the terms of a compound as the next words. A dense run is none:
// its terms are pairs already.
func (r *reader) follow(compound string, numbers []uint32) {
	switch {
	case !r.phrases:
	case startsDense(compound):
		r.words = append(r.words, noPlace)
	default:
		r.words = append(r.words, numbers...)
	}
}

// readWholeName adds the record of the term that stands for the whole name, if
// there is one, and returns how many that is.
func (r *reader) readWholeName(name string) uint32 {
	term := nameTerm(name)
	if term == "" {
		return 0
	}
	r.records = append(r.records, record{term: r.number(term), packed: fieldName<<countBits | 1})
	return 1
}

// forgetNamed drops the terms that the name has.
func (r *reader) forgetNamed() {
	for _, rec := range r.records {
		r.counts[rec.term] = 0
	}
	r.found = slices.DeleteFunc(r.found, func(n uint32) bool { return r.counts[n] == 0 })
}

// analyse returns the numbers of a compound's terms.
func (r *reader) analyse(compound string) []uint32 {
	if kept, ok := r.compounds[compound]; ok {
		return r.numbers[kept.start:kept.end]
	}
	start := len(r.numbers)
	r.splitter.split(compound, false, func(form []byte) {
		if n := r.formNumber(form); n != noTerm {
			r.numbers = append(r.numbers, n)
		}
	})
	found := r.numbers[start:]
	if len(compound) <= maxKept {
		r.compounds[compound] = span{uint32(start), uint32(len(r.numbers))}
	} else {
		r.numbers = r.numbers[:start]
	}
	return found
}

// formNumber is the number of a form's term.
func (r *reader) formNumber(form []byte) uint32 {
	if n, ok := r.forms[string(form)]; ok {
		return n
	}
	key, n := string(form), noTerm
	if term := termOf(key); term != "" {
		n = r.number(term)
	}
	r.forms[key] = n
	return n
}

// number is the number of a term.
func (r *reader) number(term string) uint32 {
	n, ok := r.terms[term]
	if !ok {
		n = uint32(len(r.names))
		r.terms[term] = n
		r.names = append(r.names, term)
		r.counts = append(r.counts, 0)
	}
	return n
}
