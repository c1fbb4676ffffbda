package kernels_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/vectorstore/internal/kernels"
)

// portable is the set that defines the right answer.
func portable() kernels.Set {
	sets := kernels.Available()
	return sets[len(sets)-1]
}

func TestPortableSetIsAlwaysThere(t *testing.T) {
	if got := portable().Name; got != "portable" {
		t.Errorf("the last set is %q", got)
	}
	if got, want := kernels.Best().Name, kernels.Available()[0].Name; got != want {
		t.Errorf("the best set is %q, the first %q", got, want)
	}
}

// The order of summation is part of the contract: these two vectors give 3
// only when lane 0 takes in lane 8 before its neighbour.
func TestDotAddsInTheDocumentedOrder(t *testing.T) {
	query := make([]float32, kernels.FloatLanes)
	row := make([]float32, kernels.FloatLanes)
	for i, v := range map[int]float32{0: 1 << 25, 8: -1 << 25, 1: 1, 4: 2} {
		query[i], row[i] = 1, v
	}
	for _, set := range kernels.Available() {
		out := make([]float32, 5)
		set.Dot(query, repeat(row, len(out)), out)
		if diff := cmp.Diff([]float32{3, 3, 3, 3, 3}, out); diff != "" {
			t.Errorf("%s (-want +got):\n%s", set.Name, diff)
		}
	}
}

func TestDotIsTheDotProduct(t *testing.T) {
	query, rows := floats(rand.New(rand.NewPCG(1, 1)), 384, 7)
	want := make([]float64, 7)
	for r := range want {
		for i, v := range query {
			want[r] += float64(v) * float64(rows[r*384+i])
		}
	}
	for _, set := range kernels.Available() {
		out := make([]float32, 7)
		set.Dot(query, rows, out)
		for r := range want {
			if math.Abs(want[r]-float64(out[r])) > 1e-6 {
				t.Errorf("%s: row %d is %v, want %v", set.Name, r, out[r], want[r])
			}
		}
	}
}

func TestEverySetGivesTheSameBits(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, columns := range []int{16, 32, 48, 384, 400, 768, 1024} {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 8, 11, 64} {
			query, rows := floats(random, columns, n)
			want := make([]float32, n)
			portable().Dot(query, rows, want)
			for _, set := range kernels.Available() {
				got := make([]float32, n)
				set.Dot(query, rows, got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, %d columns, %d rows (-want +got):\n%s", set.Name, columns, n, diff)
				}
			}
		}
	}
}

func TestEverySetGivesTheSameIntegers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, columns := range []int{64, 128, 384, 768, kernels.MaxByteColumns} {
		for _, n := range []int{0, 4, 8, 20} {
			query, rows := bytes(random, columns, n)
			want := dot8(query, rows, n)
			for _, set := range kernels.Available() {
				got := make([]int32, n)
				set.Dot8(query, rows, got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, %d columns, %d rows (-want +got):\n%s", set.Name, columns, n, diff)
				}
			}
		}
	}
}

func TestIntegersDoNotOverflow(t *testing.T) {
	for _, extreme := range []int8{-127, 127} {
		for _, level := range []uint8{0, 1, 128, 255} {
			query := make([]int8, kernels.MaxByteColumns)
			rows := make([]uint8, kernels.MaxByteColumns*4)
			for i := range query {
				query[i] = extreme
			}
			for i := range rows {
				rows[i] = level
			}
			want := dot8(query, rows, 4)
			for _, set := range kernels.Available() {
				got := make([]int32, 4)
				set.Dot8(query, rows, got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, %d by %d (-want +got):\n%s", set.Name, extreme, level, diff)
				}
			}
		}
	}
}

func TestWrongShapesPanic(t *testing.T) {
	set := kernels.Best()
	shapes := map[string]func(){
		"no columns":        func() { set.Dot(nil, nil, nil) },
		"ragged columns":    func() { set.Dot(make([]float32, 15), make([]float32, 15), make([]float32, 1)) },
		"too few rows":      func() { set.Dot(make([]float32, 16), make([]float32, 31), make([]float32, 2)) },
		"ragged bytes":      func() { set.Dot8(make([]int8, 32), make([]uint8, 128), make([]int32, 4)) },
		"ragged byte rows":  func() { set.Dot8(make([]int8, 64), make([]uint8, 192), make([]int32, 3)) },
		"too many columns":  func() { set.Dot8(make([]int8, 1<<17), nil, nil) },
		"too few byte rows": func() { set.Dot8(make([]int8, 64), make([]uint8, 255), make([]int32, 4)) },
	}
	for name, call := range shapes {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

// FuzzSets compares every set with the portable one, and the integers with
// plain arithmetic, on rows cut out of the fuzzer's bytes.
func FuzzSets(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog"), uint8(0), uint8(1))
	f.Add(make([]byte, 512), uint8(3), uint8(9))
	f.Fuzz(func(t *testing.T, data []byte, wide, many uint8) {
		if len(data) == 0 {
			return
		}
		at := func(i int) byte { return data[i%len(data)] ^ byte(i/len(data)*37) }

		columns, n := (int(wide)%8+1)*kernels.FloatLanes, int(many)%13
		query, rows := make([]float32, columns), make([]float32, columns*n)
		for i := range query {
			query[i] = finite(at(i), at(i+1), at(i+2))
		}
		for i := range rows {
			rows[i] = finite(at(i+7), at(3*i), at(i+5))
		}
		want := make([]float32, n)
		portable().Dot(query, rows, want)

		query8, rows8 := make([]int8, (int(wide)%8+1)*kernels.ByteLanes), []uint8(nil)
		n8 := n / 4 * 4
		for i := range query8 {
			query8[i] = max(int8(at(i)), -127)
		}
		for i := range len(query8) * n8 {
			rows8 = append(rows8, at(i+11))
		}
		want8 := dot8(query8, rows8, n8)

		for _, set := range kernels.Available() {
			got, got8 := make([]float32, n), make([]int32, n8)
			set.Dot(query, rows, got)
			set.Dot8(query8, rows8, got8)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", set.Name, diff)
			}
			if diff := cmp.Diff(want8, got8); diff != "" {
				t.Errorf("%s (-want +got):\n%s", set.Name, diff)
			}
		}
	})
}

// finite makes a float32 in (-2, 2) with a full mantissa, small ones included.
func finite(a, b, c byte) float32 {
	bits := binary.LittleEndian.Uint32([]byte{a, b, c, a})
	return math.Float32frombits(bits & 0xBFFF_FFFF)
}

func dot8(query []int8, rows []uint8, n int) []int32 {
	sums := make([]int32, n)
	for r := range sums {
		for i, v := range query {
			sums[r] += int32(v) * int32(rows[r*len(query)+i])
		}
	}
	return sums
}

func floats(random *rand.Rand, columns, n int) (query, rows []float32) {
	query, rows = make([]float32, columns), make([]float32, columns*n)
	for _, values := range [][]float32{query, rows} {
		for i := range values {
			values[i] = float32(random.NormFloat64()) / float32(math.Sqrt(float64(columns)))
		}
	}
	return query, rows
}

func bytes(random *rand.Rand, columns, n int) (query []int8, rows []uint8) {
	query, rows = make([]int8, columns), make([]uint8, columns*n)
	for i := range query {
		query[i] = int8(random.IntN(255) - 127)
	}
	for i := range rows {
		rows[i] = uint8(random.IntN(256))
	}
	return query, rows
}

func repeat(row []float32, n int) []float32 {
	var rows []float32
	for range n {
		rows = append(rows, row...)
	}
	return rows
}

func BenchmarkDot(b *testing.B) {
	for _, n := range []int{256, 20_000, 100_000} {
		query, rows := floats(rand.New(rand.NewPCG(4, 4)), 384, n)
		out := make([]float32, n)
		for _, set := range kernels.Available() {
			b.Run(fmt.Sprintf("rows=%d/%s", n, set.Name), func(b *testing.B) {
				b.SetBytes(int64(len(rows)) * 4)
				for b.Loop() {
					set.Dot(query, rows, out)
				}
			})
		}
	}
}

func BenchmarkDot8(b *testing.B) {
	for _, n := range []int{256, 20_000, 100_000} {
		query, rows := bytes(rand.New(rand.NewPCG(5, 5)), 384, n)
		out := make([]int32, n)
		for _, set := range kernels.Available() {
			b.Run(fmt.Sprintf("rows=%d/%s", n, set.Name), func(b *testing.B) {
				b.SetBytes(int64(len(rows)))
				for b.Loop() {
					set.Dot8(query, rows, out)
				}
			})
		}
	}
}
