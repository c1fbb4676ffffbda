package kernels

import "unsafe"

// dotPortable is the definition of the float32 dot product in Go. The explicit
// conversions keep the compiler from fusing a product with its addition.
func dotPortable(query, rows *float32, columns, n int, out *float32) {
	q := unsafe.Slice(query, columns)
	all := unsafe.Slice(rows, columns*n)
	sums := unsafe.Slice(out, n)
	for r := range sums {
		row := all[r*columns:][:columns]
		var lanes [FloatLanes]float32
		for i := 0; i < columns; i += FloatLanes {
			a, b := (*[FloatLanes]float32)(q[i:]), (*[FloatLanes]float32)(row[i:])
			for l := 0; l < FloatLanes; l += 4 {
				lanes[l] += float32(a[l] * b[l])
				lanes[l+1] += float32(a[l+1] * b[l+1])
				lanes[l+2] += float32(a[l+2] * b[l+2])
				lanes[l+3] += float32(a[l+3] * b[l+3])
			}
		}
		sums[r] = fold(&lanes)
	}
}

// fold adds up the lanes in the fixed order.
func fold(l *[FloatLanes]float32) float32 {
	a, b, c, d := l[0]+l[8], l[1]+l[9], l[2]+l[10], l[3]+l[11]
	e, f, g, h := l[4]+l[12], l[5]+l[13], l[6]+l[14], l[7]+l[15]
	return ((a + b) + (c + d)) + ((e + f) + (g + h))
}

func dot8Portable(query *int8, rows *uint8, columns, n int, out *int32) {
	q := unsafe.Slice(query, columns)
	all := unsafe.Slice(rows, columns*n)
	sums := unsafe.Slice(out, n)
	for r := range sums {
		row := all[r*columns:][:columns]
		var a, b, c, d int32
		for i := 0; i < columns; i += 4 {
			x, y := (*[4]int8)(q[i:]), (*[4]uint8)(row[i:])
			a += int32(x[0]) * int32(y[0])
			b += int32(x[1]) * int32(y[1])
			c += int32(x[2]) * int32(y[2])
			d += int32(x[3]) * int32(y[3])
		}
		sums[r] = a + b + c + d
	}
}
