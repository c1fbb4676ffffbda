package fallback

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/skillsearch/skillsearch/skill"
)

// NewWithParams makes an index with other parameters than the default ones, to
// measure them.
func NewWithParams(skills []*skill.Skill, params Params) *Index {
	x := &Index{params: params, skills: slices.Clone(skills)}
	slices.SortStableFunc(x.skills, func(a, b *skill.Skill) int {
		return cmp.Compare(a.ID, b.ID)
	})
	counted := make([]counts, len(x.skills))
	readers := x.read(counted)
	numbers := x.number(readers)
	x.collect(counted, numbers)
	if x.params.Misspelt {
		for _, r := range readers {
			x.spellings.add(r.forms)
		}
	}
	x.weigh()
	x.honourNames(counted, readers, numbers)
	x.places = place(counted, numbers, len(x.terms))
	return x
}

// maxReaders is where another core gains nothing: it would learn the words that
// the others know already, and all that they know has to be merged.
const maxReaders = 8

// read has all skills read, by as many readers as there are cores.
func (x *Index) read(counted []counts) []*reader {
	readers := make([]*reader, min(runtime.GOMAXPROCS(0), maxReaders, len(x.skills)))
	var next atomic.Int64
	var running sync.WaitGroup
	for w := range readers {
		r := newReader(x.params)
		readers[w] = r
		running.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(x.skills)); i = next.Add(1) - 1 {
				counted[i] = r.read(x.skills[i])
				counted[i].reader = w
			}
		})
	}
	running.Wait()
	return readers
}

// number gives each term one number, and says for each reader which its own
// ones are. The numbers depend on who read what; what is found does not.
func (x *Index) number(readers []*reader) [][]uint32 {
	numbers := make([][]uint32, len(readers))
	for w, r := range readers {
		if w == 0 {
			x.terms = r.terms
		}
		numbers[w] = make([]uint32, len(r.names))
		for i, name := range r.names {
			n, ok := x.terms[name]
			if !ok {
				n = uint32(len(x.terms))
				x.terms[name] = n
			}
			numbers[w][i] = n
		}
	}
	return numbers
}

// collect makes the postings, those of a term in the order of the skills, and
// leaves in each the weighted count of the term.
func (x *Index) collect(counted []counts, numbers [][]uint32) {
	x.starts = starts(counted, numbers, len(x.terms))
	x.postings = make([]posting, x.starts[len(x.terms)])
	next := slices.Clone(x.starts)
	averages := averageLengths(counted)
	for i, c := range counted {
		weights := x.weights(c.lengths, averages)
		for _, rec := range c.records {
			t := numbers[c.reader][rec.term]
			if next[t] == x.starts[t] || x.postings[next[t]-1].skill != uint32(i) {
				x.postings[next[t]].skill = uint32(i)
				next[t]++
			}
			x.postings[next[t]-1].score += float32(weights[rec.field()] * float64(rec.count()))
		}
	}
}

// starts says where the postings of each term start, and where all end.
func starts(counted []counts, numbers [][]uint32, terms int) []uint32 {
	starts := make([]uint32, terms+1)
	last := make([]uint32, terms) // the skill that had the term last, plus one
	for i, c := range counted {
		for _, rec := range c.records {
			if t := numbers[c.reader][rec.term]; last[t] != uint32(i+1) {
				last[t] = uint32(i + 1)
				starts[t]++
			}
		}
	}
	var total uint32
	for t, n := range starts {
		starts[t] = total
		total += n
	}
	return starts
}

// averageLengths are the mean lengths of each field over the skills that have
// it: a skill with two tags is not long because most have none.
func averageLengths(counted []counts) (averages [fieldCount]float64) {
	for f := range averages {
		total, having := 0, 0
		for _, c := range counted {
			if n := c.lengths[f]; n > 0 {
				total += int(n)
				having++
			}
		}
		averages[f] = float64(total) / float64(max(having, 1))
	}
	return averages
}

// weights are what one occurrence counts in each field of a skill: the field's
// weight over 1-b+b*length/average.
func (x *Index) weights(lengths [fieldCount]uint32, averages [fieldCount]float64) (weights [fieldCount]float64) {
	for f, field := range x.params.fields() {
		if lengths[f] > 0 {
			weights[f] = field.Weight / (1 - field.B + field.B*float64(lengths[f])/averages[f])
		}
	}
	return weights
}

// weigh turns the weighted counts into what they add to a score.
func (x *Index) weigh() {
	for t := range len(x.terms) {
		postings := x.postings[x.starts[t]:x.starts[t+1]]
		rarity := x.rarity(len(postings))
		for i, p := range postings {
			postings[i].score = float32(rarity * x.saturated(float64(p.score)))
		}
	}
}

// saturated is what a weighted count counts: every further one less.
func (x *Index) saturated(count float64) float64 {
	return count * (x.params.K1 + 1) / (count + x.params.K1)
}

// rarity is what a term counts that df of the skills have. It is above zero even
// for one that all have.
func (x *Index) rarity(df int) float64 {
	n := len(x.skills)
	idf := math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
	return math.Pow(idf, x.params.Rarity)
}

// honourNames adds to each term of a name its share in it, so that a query that
// has all of a name gains as much with a short one as with a long one, and to
// the whole name what it counts.
func (x *Index) honourNames(counted []counts, readers []*reader, numbers [][]uint32) {
	for i, c := range counted {
		total := 0.0
		whole := func(rec record) bool { return strings.HasPrefix(readers[c.reader].names[rec.term], namePrefix) }
		for _, rec := range c.name() {
			if !whole(rec) {
				total += x.rarityOf(numbers[c.reader][rec.term])
			}
		}
		for _, rec := range c.name() {
			t := numbers[c.reader][rec.term]
			bonus := x.params.WholeName
			if !whole(rec) {
				bonus = x.params.NameShare * x.rarityOf(t) / total
			}
			postings := x.postings[x.starts[t]:x.starts[t+1]]
			at, _ := slices.BinarySearchFunc(postings, uint32(i), bySkill)
			postings[at].score += float32(bonus)
		}
	}
}

func (x *Index) rarityOf(term uint32) float64 {
	return x.rarity(int(x.starts[term+1] - x.starts[term]))
}
