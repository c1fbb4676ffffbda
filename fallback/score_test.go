package fallback_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skillsearch/skillsearch/fallback"
	"github.com/skillsearch/skillsearch/skill"
)

// orchard are three skills whose scores were worked out by hand.
//
//	field        length of a, b, c   mean of those that have it
//	name         2  2  3             7/3   (one more for the whole name)
//	title        0  1  0             1     (without the words of the name)
//	description  2  1  0             3/2
//	tags         0  0  1             1
//	body         4  0  2             3
//
// So one word counts (weight over 1-b+b*length/mean):
//
//	in the name         3/(.7+.3*6/7)  = 3.134328 in a and b, 3/(.7+.3*9/7) = 2.763158 in c
//	in the title        2/(.5+.5*1)    = 2        in b
//	in the description  2/(.5+.5*4/3)  = 1.714286 in a, 2/(.5+.5*2/3) = 2.4 in b
//	in the tags         2/(.7+.3*1)    = 2        in c
//	in the body         .3/(.25+.75*4/3) = .24    in a, .3/(.25+.75*2/3) = .4 in c
//
// A word that one skill of three has is ln(1+2.5/1.5)^.7 = .986541 rare, one
// that two have ln(1+1.5/2.5)^.7 = .589483. All words of a name, which in c are
// as rare as each other, add 2 together, and the whole name 10.
var orchard = []*skill.Skill{
	{ID: "c", Name: "fig date", Title: "Fig Date", Tags: []string{"nut"}, Body: "lime lime"},
	{ID: "a", Name: "kiwi", Title: "kiwi", Description: "plum fig", Body: "plum, plum, fig, date"},
	{ID: "b", Name: "plum", Title: "Plum jam", Description: "kiwi"},
}

func TestScoresAreThoseOfBM25F(t *testing.T) {
	tests := []struct {
		query string
		want  []fallback.Match
	}{
		// a: 1.714286+2*.24 = 2.194286, .589483*2.194286*2.2/3.394286 = .838375
		// b: .589483*3.134328*2.2/4.334328+2 = 2.937813, and .986541*3.134328*2.2/4.334328+10 = 11.569498 for the whole name
		{"plum", []fallback.Match{{ID: "b", Score: 14.507311}, {ID: "a", Score: 0.838375}}},
		// The same without the whole name, each term once.
		{"a plum, plums!", []fallback.Match{{ID: "b", Score: 2.937813}, {ID: "a", Score: 0.838375}}},
		// a: .589483*.24*2.2/1.44 = .216144
		// c: .589483*2.763158*2.2/3.963158+1 = 1.904186
		{"date", []fallback.Match{{ID: "c", Score: 1.904186}, {ID: "a", Score: 0.216144}}},
		// b: .986541*2*2.2/3.2 = 1.356494
		{"jam", []fallback.Match{{ID: "b", Score: 1.356494}}},
		// c: the same, from the tags
		{"nut", []fallback.Match{{ID: "c", Score: 1.356494}}},
		// c: .986541*.8*2.2/2 = .868156
		{"lime", []fallback.Match{{ID: "c", Score: 0.868156}}},
		// fig, a: 1.714286+.24 = 1.954286, .589483*1.954286*2.2/3.154286 = .803490; c: as date
		{"date jam fig", []fallback.Match{{ID: "c", Score: 3.808372}, {ID: "b", Score: 1.356494}, {ID: "a", Score: 1.019634}}},
		// The same words as a phrase: .4*.589483 in a, which has it once, and
		// .4*.589483*2*2.2/3.2 in c, which has it in name and title.
		{"a fig of that date", []fallback.Match{{ID: "c", Score: 4.132588}, {ID: "a", Score: 1.255427}}},
		{"cherry", []fallback.Match{}},
	}
	x := fallback.New(orchard)
	for _, test := range tests {
		if diff := cmp.Diff(test.want, x.Search(test.query), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("search %q (-want +got):\n%s", test.query, diff)
		}
	}
}

func TestPlainParamsRankTheBodyAlone(t *testing.T) {
	// Lengths 4 and 2, mean 3. plum: ln(1+2.5/1.5) = .980829, and with k1 .9 and
	// b .4: 2*1.9/(2+.9*(.6+.4*4/3)) = 1.258278. lime: 2*1.9/(2+.9*(.6+.4*2/3)) = 1.366906.
	want := map[string][]fallback.Match{
		"plum":     {{ID: "a", Score: 1.234156}},
		"lime":     {{ID: "c", Score: 1.340702}},
		"kiwi jam": {},
		"plumm":    {}, // read as it is
	}
	x := fallback.NewWithParams(orchard, fallback.PlainParams(0.9, 0.4))
	for query, matches := range want {
		if diff := cmp.Diff(matches, x.Search(query), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("search %q (-want +got):\n%s", query, diff)
		}
	}
}

func TestExplainNamesTermsAndFields(t *testing.T) {
	x := fallback.New(orchard)
	tests := []struct {
		query, id string
		want      []fallback.Contribution
	}{
		{"plums jams nuts", "b", []fallback.Contribution{
			{Term: "plum", Word: "plums", Fields: []string{"name"}, Score: 2.937813},
			{Term: "jam", Word: "jams", Fields: []string{"title"}, Score: 1.356494},
			{Term: "plum jam", Word: "plums jams", Fields: []string{"title"}, Score: 0.394617},
		}},
		{"PLUM", "b", []fallback.Contribution{
			{Term: "=plum", Word: "plum", Fields: []string{"name"}, Score: 11.569498},
			{Term: "plum", Word: "plum", Fields: []string{"name"}, Score: 2.937813},
		}},
		{"a fig for your date", "a", []fallback.Contribution{
			{Term: "fig", Word: "fig", Fields: []string{"description", "body"}, Score: 0.803490},
			{Term: "fig date", Word: "fig date", Fields: []string{"body"}, Score: 0.235793},
			{Term: "date", Word: "date", Fields: []string{"body"}, Score: 0.216144},
		}},
		{"nut", "c", []fallback.Contribution{{Term: "nut", Word: "nut", Fields: []string{"tags"}, Score: 1.356494}}},
		{"nut", "a", []fallback.Contribution{}},
		{"nut", "no such skill", []fallback.Contribution{}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, x.Explain(test.query, test.id), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("explain %q for %q (-want +got):\n%s", test.query, test.id, diff)
		}
	}
}

func TestNoSkillsNoMatches(t *testing.T) {
	for _, x := range []*fallback.Index{
		fallback.New(nil),
		fallback.New([]*skill.Skill{{ID: "empty"}}),
		fallback.NewWithParams(orchard, fallback.Params{}),
	} {
		if diff := cmp.Diff([]fallback.Match{}, x.Search("plum")); diff != "" {
			t.Errorf("search (-want +got):\n%s", diff)
		}
	}
}
