package fallback

// leastSpelt is the shortest form, in letters, that is taken for a misspelling:
// one letter turns too many shorter ones into another word.
const leastSpelt = 5

// maxMisspelt is how many words of a query are looked up as misspellings: a page
// of a language that no skill is written in has more than can be meant.
const maxMisspelt = 16

// spellings are the forms that were read and that another may be a misspelling
// of, by their first letter, in no order; stop words are among them. Where two
// readers know a form it is there twice.
type spellings [26][]string

func (s *spellings) add(forms map[string]uint32) {
	for form := range forms {
		if len(form) >= leastSpelt-1 && stemmed(form) {
			s[form[0]-'a'] = append(s[form[0]-'a'], form)
		}
	}
}

// meant is the form that one whose term no skill has is read as: that of the
// skills from which it differs by one letter too many, missing, or other, or by
// two swapped, but not by the first. Of several it is the one whose term most
// skills have, then the first by the alphabet; without any the form stays.
func (x *Index) meant(form string) string {
	if len(form) < leastSpelt || !stemmed(form) {
		return form
	}
	best, most := form, 0
	for _, word := range x.spellings[form[0]-'a'] {
		if !oneEdit(word, form) {
			continue
		}
		if n := x.having(termOf(word)); n > most || n == most && word < best {
			best, most = word, n
		}
	}
	return best
}

// having is how many skills have a term; a stop word, which has none, all.
func (x *Index) having(term string) int {
	if term == "" {
		return len(x.skills)
	}
	return len(x.find(term))
}

// oneEdit reports whether two different texts differ by one edit.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false
	}
	swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	return swapped || a[i+1:] == b[i+1:]
}
