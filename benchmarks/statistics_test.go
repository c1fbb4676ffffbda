package benchmarks_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/benchmarks"
)

// rowsOf is a table of one column.
func rowsOf(values ...float64) [][]float64 {
	rows := make([][]float64, len(values))
	for i, v := range values {
		rows[i] = []float64{v}
	}
	return rows
}

// TestTTestIsStudents holds p against scipy.stats.ttest_1samp and, where the
// value is known in closed form or from a table, against that.
func TestTTestIsStudents(t *testing.T) {
	long := func(shift float64) []float64 {
		values := make([]float64, 500)
		for i := range values {
			values[i] = float64(i*37%101)/100 - shift
		}
		return values
	}
	for _, test := range []struct {
		name        string
		differences []float64
		want        float64
	}{
		{"ten queries", []float64{0.1, 0, -0.05, 0.2, 0.15, 0, -0.1, 0.3, 0.05, 0.02}, 0.11533784415273447},
		{"one degree of freedom and t = 1: 1 - 2/π·atan 1", []float64{0, 2}, 0.5},
		{"nine degrees of freedom and t = 2.262157, the table's 5 %", alternate(10, 2.2621571628/3), 0.05},
		{"three", []float64{1, 2, 3}, 0.07417990022744853},
		{"500", long(0.45), 0.0001484709572675849},
		{"500, far from 0", long(0.3), 1.2318856668609695e-43},
		{"none", nil, 1},
		{"one", []float64{0.3}, 1},
		{"no difference", []float64{0, 0, 0}, 1},
		{"as much up as down", []float64{0.5, -0.5}, 1},
		{"the same everywhere", []float64{0.1, 0.1, 0.1}, 0},
	} {
		if got := benchmarks.TTest(test.differences); math.Abs(got-test.want) > 1e-8*test.want {
			t.Errorf("%s: p is %v, want %v", test.name, got, test.want)
		}
	}
}

// alternate is n values that lie 1 above and below mean in turn; with n 10 their
// t is 3 times the mean.
func alternate(n int, mean float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = mean + float64(i%2*2-1)
	}
	return values
}

// TestRandomisationIsNearTheExactTest compares with the p that all 2^n choices
// of signs give.
func TestRandomisationIsNearTheExactTest(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		differences := make([]float64, 2+random.IntN(9))
		for i := range differences {
			differences[i] = float64(random.IntN(9)-3) / 8 // exact in binary, with ties and zeros
		}
		want, got := exact(differences), benchmarks.Randomisation(differences, benchmarks.Sampling{})
		if math.Abs(want-got) > 0.02 { // 4 standard errors of 10,000 draws
			t.Errorf("%v: p is %v, exactly %v", differences, got, want)
		}
	}
	if p := benchmarks.Randomisation(nil, benchmarks.Sampling{}); p != 1 {
		t.Errorf("without differences p is %v, want 1", p)
	}
}

func exact(differences []float64) float64 {
	observed, extreme := 0.0, 0
	for _, d := range differences {
		observed += d
	}
	for signs := range 1 << len(differences) {
		total := 0.0
		for i, d := range differences {
			if signs>>i&1 == 1 {
				d = -d
			}
			total += d
		}
		if math.Abs(total) >= math.Abs(observed) {
			extreme++
		}
	}
	return float64(extreme) / float64(int(1)<<len(differences))
}

func TestBootstrapIntervals(t *testing.T) {
	same := benchmarks.Bootstrap(rowsOf(0.5, 0.5, 0.5), benchmarks.Sampling{})
	if diff := cmp.Diff([]benchmarks.Interval{{Low: 0.5, High: 0.5}}, same); diff != "" {
		t.Errorf("of equal values (-want +got):\n%s", diff)
	}
	// Of 400 values of standard deviation 0.5 the mean has a standard error of
	// 0.025: 1.96 of them to either side.
	half := make([]float64, 400)
	for i := range half {
		half[i] = float64(i % 2)
	}
	got := benchmarks.Bootstrap(rowsOf(half...), benchmarks.Sampling{})[0]
	if math.Abs(got.Low-0.451) > 0.004 || math.Abs(got.High-0.549) > 0.004 {
		t.Errorf("the interval is %v, want about 0.451 to 0.549", got)
	}
}

// TestBootstrapCoversTheMean holds that about 95 of 100 intervals have the true
// mean in them.
func TestBootstrapCoversTheMean(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	covered := 0
	const samples = 300
	for range samples {
		values := make([]float64, 60)
		for i := range values {
			values[i] = random.Float64() // mean 0.5
		}
		i := benchmarks.Bootstrap(rowsOf(values...), benchmarks.Sampling{Draws: 500})[0]
		if i.Low <= 0.5 && 0.5 <= i.High {
			covered++
		}
	}
	if covered < samples*90/100 || covered > samples*99/100 {
		t.Errorf("%d of %d intervals have the mean in them, want about 95 %%", covered, samples)
	}
}

func TestTheSameSeedGivesTheSameFigures(t *testing.T) {
	rows := [][]float64{{0, 1}, {1, 0.5}, {0.3, 0.2}, {0.9, 0.4}, {0.1, 0.8}}
	differences := []float64{0.1, -0.3, 0.25, 0.4, 0.05, 0.2, -0.1}
	type figures struct {
		Intervals []benchmarks.Interval
		P         float64
	}
	draw := func(seed uint64) figures {
		s := benchmarks.Sampling{Seed: seed}
		return figures{benchmarks.Bootstrap(rows, s), benchmarks.Randomisation(differences, s)}
	}
	if diff := cmp.Diff(draw(1), draw(1)); diff != "" {
		t.Errorf("seed 1, twice:\n%s", diff)
	}
	if cmp.Equal(draw(1), draw(2)) {
		t.Error("seeds 1 and 2 draw the same")
	}
	// A column's interval does not depend on its neighbours.
	alone := benchmarks.Bootstrap(rowsOf(0, 1, 0.3, 0.9, 0.1), benchmarks.Sampling{Seed: 1})
	if diff := cmp.Diff(draw(1).Intervals[:1], alone); diff != "" {
		t.Errorf("with and without a second column:\n%s", diff)
	}
}

func TestHolmCorrects(t *testing.T) {
	for _, test := range []struct{ ps, want []float64 }{
		// .01·4, then .02·3, .03·2 (not below the one before), .5·1
		{[]float64{0.02, 0.5, 0.01, 0.03}, []float64{0.06, 0.5, 0.04, 0.06}},
		{[]float64{0.6, 0.7}, []float64{1, 1}},
		{[]float64{0.04}, []float64{0.04}},
		{nil, []float64{}},
	} {
		got := benchmarks.Holm(test.ps)
		for i := range got {
			got[i] = round4(got[i])
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.ps, diff)
		}
	}
}
