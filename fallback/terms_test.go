package fallback_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/fallback"
)

func TestTerms(t *testing.T) {
	tests := []struct {
		rule  string
		terms map[string]string // by text, with blanks between
	}{
		{"parts of a compound and the compound as one", map[string]string{
			"e2e-testing":    "e2e test e2etesting",
			"PDF_Processing": "pdf process pdfprocess",
			"pdf processing": "pdf process",
			"pdfprocessing":  "pdfprocess",
			"node.js":        "node js nodej",
			"x-ray":          "ray xray",
			"--dry-run":      "dri run dryrun",
			"__init__":       "init",
		}},
		{"parts of a word at its capitals", map[string]string{
			"unlockWithBiometrics": "unlockwithbiometr unlock biometr",
			"GitHub":               "github git hub",
			"HTTPServer":           "httpserver http server",
			"PDFs URLs":            "pdf url",
			"iOS":                  "io os",
		}},
		{"parts of a word at its digits, if longer than a letter", map[string]string{
			"IPv6":      "ipv6 ipv",
			"k8s":       "k8s",
			"OAuth2":    "oauth2 auth oauth",
			"gpt-4":     "gpt gpt4",
			"sha256sum": "sha256sum sha 256 sum",
			"v1.2.3":    "v1 v1.2.3",
		}},
		{"a blob has no parts", map[string]string{
			"a3f9c2d4e5b6a7c8d9e0": "a3f9c2d4e5b6a7c8d9e0",
		}},
		{"languages keep their signs", map[string]string{
			"C++":     "c++",
			"C++17":   "c++ 17",
			"C#":      "c#",
			"C, R":    "c r",
			"# C":     "c",
			".NET":    "net .net",
			"ASP.NET": "asp net aspnet",
			"...net":  "net",
		}},
		{"a dot between digits stays", map[string]string{
			"38.101":     "38 101 38.101",
			"2.0":        "2.0",
			"2024-01-15": "2024 01 15 20240115",
		}},
		{"a slash joins short words, and no path", map[string]string{
			"CI/CD.":            "ci cd cicd",
			"Q&A":               "qa",
			"I/O":               "io",
			"references/pdf.md": "refer pdf md pdfmd",
			"a/b/c":             "b c",
			"https://x.org/y/z": "http org xorg y z",
		}},
		{"what English writes behind an apostrophe is dropped", map[string]string{
			"the skill's users' can't": "skill user",
			"the skill’s":              "skill",
			"we're don't DON'T":        "",
			"O'Reilly":                 "reilli oreilli",
		}},
		{"stop words are dropped, inside a compound as well", map[string]string{
			"what is there to do": "",
			"to-do":               "todo",
		}},
		{"endings", map[string]string{
			"testing tests tested": "test test test",
			"llms csvs css":        "llm csv css",
		}},
		{"accents and width", map[string]string{
			"café CAFÉ cafe\u0301": "cafe cafe cafe",
			"Straße STRASSE":       "strass strass",
			"İstanbul ışık":        "istanbul isik",
			"Œuvre Łódź":           "oeuvr lodz",
			"ΣΊΣΥΦΟΣ":              "σισυφοσ",
			"ёлка":                 "елка",
			"ＰＤＦ－Ｐｒｏｃｅｓｓｉｎｇ": "pdf process pdfprocess",
			"co\u00adop":      "coop",
			"zero\u200bwidth": "zero width",
			"pdf‑tool":        "pdf tool pdftool",
		}},
		{"marks that spell a sound stay, those that may be left out go", map[string]string{
			"हिन्दी":   "हिन्दी",
			"مُحَمَّد": "محمد",
			"שָׁלוֹם":  "שלום",
		}},
		{"pairs where a script has no blanks, and a character alone", map[string]string{
			"会议纪要":        "会议 议纪 纪要",
			"纪":           "纪",
			"重跑gen-itgc后": "重跑 gen itgc genitgc 后",
			"끝말잇기":        "끝말 말잇 잇기",
			"PDF파일":       "pdf 파일",
			"スキル検索":       "スキ キル ル検 検索",
			"ｽｷﾙ":         "スキ キル",
			"か\u3099く":    "がく",
			"ทดสอบ":       "ทด ดส สอ อบ",
			"ที่นี่":      "ที่นี่",
		}},
		{"what is no letter or digit is a border", map[string]string{
			"\x00pdf\x00fill\x7f": "pdf fill",
			"bad\xffbyte":         "bad byte",
			"🚀 ship 👨\u200d👩":     "ship",
			"<b>pdf</b>":          "b pdf b",
			"":                    "",
			"*** -- ' . / \\":     "",
		}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			for text, want := range test.terms {
				if diff := cmp.Diff(strings.Fields(want), fallback.Terms(text)); diff != "" {
					t.Errorf("terms of %q (-want +got):\n%s", text, diff)
				}
			}
		})
	}
}

func TestALongWordIsKnownByItsStart(t *testing.T) {
	long := strings.Repeat("abcdefgh", 8) // 64 bytes
	for _, text := range []string{long, long + "i", strings.Repeat(long, 1<<14)} {
		if diff := cmp.Diff([]string{long}, fallback.Terms(text)); diff != "" {
			t.Errorf("terms of a word of %d bytes (-want +got):\n%s", len(text), diff)
		}
	}
	cyrillic := strings.Repeat("я", 32)
	if diff := cmp.Diff([]string{cyrillic}, fallback.Terms(cyrillic+"яя")); diff != "" {
		t.Errorf("terms of a long word of another alphabet (-want +got):\n%s", diff)
	}
}
