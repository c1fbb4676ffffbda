package fallback_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"

	"github.com/skillsearch/skillsearch/fallback"
	"github.com/skillsearch/skillsearch/skill"
)

// Words are held against an implementation of Unicode's word segmentation
// (UAX #29). Both are compared below connectors, because compounds go on over
// some that end a word there.
func FuzzWordsAreThoseOfUnicode(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(wordsAreThoseOfUnicode)
}

func TestWordsOfEveryCharacterAreThoseOfUnicode(t *testing.T) {
	for r := range unicode.MaxRune {
		if unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf) {
			wordsAreThoseOfUnicode(t, "a"+string(r)+"1你"+string(r)+string(r)+"b")
		}
	}
}

func wordsAreThoseOfUnicode(t *testing.T, text string) {
	text = norm.NFKC.String(text)
	var want, got []string
	for it := words.FromString(text); it.Next(); {
		want = append(want, letterRuns(it.Value())...)
	}
	for _, compound := range fallback.Compounds(text) {
		got = append(got, letterRuns(compound)...)
	}
	if !slices.Equal(want, got) {
		t.Errorf("words of %q: got %q, UAX #29 has %q", text, got, want)
	}
}

// letterRuns are the runs of letters and digits in a text, without marks.
func letterRuns(text string) []string {
	var runs []string
	bare := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.M, unicode.Cf) && r != '\u200b' {
			return -1
		}
		return r
	}, text)
	for run := range strings.FieldsFuncSeq(bare, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.Nd, unicode.Nl) }) {
		start := 0
		for i, r := range run {
			if spaceless(r) {
				runs = appendRun(runs, run[start:i])
				runs = appendRun(runs, string(r))
				start = i + utf8.RuneLen(r)
			}
		}
		runs = appendRun(runs, run[start:])
	}
	return runs
}

func appendRun(runs []string, run string) []string {
	if run == "" {
		return runs
	}
	return append(runs, run)
}

// spaceless says whether a letter is of a script whose words this package finds
// by pairs of characters.
func spaceless(r rune) bool {
	return '\u3000' <= r && r < '\u3400' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
		unicode.Yi, unicode.Tangut, unicode.Nushu, unicode.Khitan_Small_Script, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar, unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet, unicode.Ahom)
}

func FuzzTermsAreClean(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, term := range fallback.Terms(text) {
			switch {
			case term == "" || len(term) > 128:
				t.Errorf("terms of %q: one of %d bytes", text, len(term))
			case !utf8.ValidString(term):
				t.Errorf("terms of %q: %q is not UTF-8", text, term)
			case strings.ContainsFunc(term, func(r rune) bool { return r < utf8.RuneSelf && !strings.ContainsRune(small, r) }):
				t.Errorf("terms of %q: %q has a byte that no term has", text, term)
			}
		}
	})
}

// small are the ASCII characters of terms.
const small = "abcdefghijklmnopqrstuvwxyz0123456789.+#"

// A text is found by itself: whatever has a term that a query has, too.
func FuzzASkillIsFoundByItsOwnWords(f *testing.F) {
	for _, text := range hostile {
		f.Add(text, "name")
		f.Add("body", text)
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		x := fallback.New([]*skill.Skill{
			{ID: "own", Name: name, Description: text, Body: text},
			{ID: "other", Name: "other", Title: text, Body: name},
		})
		got := ids(x.Search(text))
		if len(fallback.Terms(text)) > 0 && !slices.Contains(got, "own") {
			t.Errorf("search %q: got %v, terms %q", text, got, fallback.Terms(text))
		}
		x.Search(name)
		x.Explain(name+" "+text, "own")
	})
}

func TestSizesThatAreNoText(t *testing.T) {
	const size = 1 << 21
	for _, piece := range []string{"a", "aB", "a1", "a-", "a.", "a/", "'t", "C++", ".", "你", "가a", "é", "e\u0301", "\u0301", "ก\u0e31", "\u200d", "\xff", "\x00", "ﷺ", "y", "ing"} {
		text := strings.Repeat(piece, size/len(piece))
		x := fallback.New([]*skill.Skill{{ID: "big", Name: "big", Title: text[:64<<10], Tags: []string{text[:64<<10]}, Body: text}})
		x.Search(text[:64<<10])
		if got := ids(x.Search("big")); !slices.Equal(got, []string{"big"}) {
			t.Errorf("%q, %d times: got %v", piece, size/len(piece), got)
		}
	}
}

// hostile are texts that other tools fell over.
var hostile = []string{
	"can't stop node.js snake_case e2e-testing foo__bar a_ _b 3.14 1,000 x.1 1.x :a:b: a:b",
	"https://x.org/a-b?c=d&e=f#g CI/CD I/O C++ C# .NET ...x -- --flag 'quoted' \"quoted\"",
	"café cafe\u0301 naïve L’hôtel Straße İstanbul ﬁx ½ ① x² ™",
	"会议纪要gen-itgc后 끝말잇기 PDF파일 スキル検索 ｽｷﾙ ー々〇 ทดสอบ ភាសាខ្មែរ မြန်မာ ລາວ ꆈꌠ",
	"हिन्दी में مُحَمَّد שָׁלוֹם צה\"ל Ελληνικά Привет ёлка Հայերեն ქართული",
	"🚀 👨\u200d👩\u200d👧 1️⃣ 🇩🇪 \u200b\u200d\u200e\ufeff\u00ad \u00a0\u2028\u3000",
	"\x00\x01\x7f\x80\xff\xc3\x28\xed\xa0\x80\xf0\x9f",
	"a\u0301\u0302\u0303 \u0301lone \u0e31 -\u0301-",
	"𝐛𝐨𝐥𝐝 𝕕𝕠𝕦𝕓𝕝𝕖 𠀀𠀁 Ⓐ ㎏ ﷺ",
}
