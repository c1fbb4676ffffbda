package benchmarks_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden files anew")

// How far a figure that vectors are part of may lie from the golden one: the
// kernels of two processors differ in the last bits of a vector, which may swap
// two documents that are all but equal. Of a few queries of one type one makes
// more of a difference.
const (
	near       = 0.003
	nearOfType = 0.05
)

// compareFigures holds figures against a golden file; types are the rows of few
// queries. Lines that were not measured this time are passed over, and kept by
// -update.
func compareFigures(t *testing.T, path string, got figures, types ...string) {
	t.Helper()
	want := readFigures(t, path)
	if *update {
		for key, means := range got {
			want[key] = means
		}
		writeGolden(t, path, want.String())
		return
	}
	for key, means := range got {
		allowed := near
		switch {
		case key[1] == "lexical":
			allowed = 0.00006 // as it is written
		case slices.Contains(types, key[0]):
			allowed = nearOfType
		}
		golden := want[key]
		for i, mean := range means {
			if i >= len(golden) || math.Abs(golden[i]-mean) > allowed {
				t.Errorf("%s by %s: %s is %.4f, %s has %v; if the change is meant, run the test with -update", key[0], key[1], goldenMeasures[i], mean, path, golden)
				break
			}
		}
	}
}

// readFigures reads a golden file; one that is not there has nothing.
func readFigures(t *testing.T, path string) figures {
	t.Helper()
	f := make(figures)
	raw, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return f
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(columns) < 3 {
			continue
		}
		for _, text := range columns[2:] {
			mean, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(fmt.Errorf("read %s: %w", path, err))
			}
			key := [2]string{columns[0], columns[1]}
			f[key] = append(f[key], mean)
		}
	}
	return f
}

// compareGolden holds a text against a golden file.
func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		writeGolden(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); if the change is meant, run the test with -update:\n%s", path, diff)
	}
}

func writeGolden(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
