package fallback_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/fallback"
)

func TestSharedWordsAreThoseOfASearch(t *testing.T) {
	for _, c := range []struct {
		query, text string
		want        []string
	}{
		{"merge the pdf files", "Merging PDFs: the file is merged. Merging again", []string{"Merging", "PDFs", "file", "merged"}},
		{"pdf", "nothing of it", []string{}},
		{"the", "the same stop word", []string{}},
		{"café", "Cafe and CAFÉ", []string{"Cafe", "CAFÉ"}},
		{"合并文件", "把文件合并", []string{"文件", "合并"}},
		{"", "", []string{}},
	} {
		if diff := cmp.Diff(c.want, fallback.Shared(c.query, c.text)); diff != "" {
			t.Errorf("shared by %q and %q (-want +got):\n%s", c.query, c.text, diff)
		}
	}
}
