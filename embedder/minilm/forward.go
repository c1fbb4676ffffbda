package minilm

import "math"

// forward runs the encoder over ids and writes the unit vector: the mean over
// all tokens, [CLS] and [SEP] included, divided by its length.
func (m *Model) forward(s *scratch, ids []int32, vector []float32) {
	n := len(ids)
	s.size(n, m.kernel.rows)
	m.embed(s, ids)
	for i := range m.layers {
		l := &m.layers[i]
		m.linear(s, l.qkv, s.x, s.qkv)
		m.attend(s)
		m.linear(s, l.attention, s.mixed, s.y)
		m.addNorm(s, l.attentionNorm)
		m.linear(s, l.up, s.x, s.up)
		m.kernel.gelu(s.up.data[:n*intermediate])
		m.linear(s, l.down, s.up, s.y)
		m.addNorm(s, l.downNorm)
	}
	mean(s.x, n, vector)
}

// embed writes the sum of word and position, normalised, to x.
func (m *Model) embed(s *scratch, ids []int32) {
	for i, id := range ids {
		m.tokens.row(s.x.row(i, Dimensions), int(id))
	}
	copy(s.y.data, m.positions[:len(ids)*Dimensions])
	m.addNorm(s, m.norm)
	clear(s.x.data[len(ids)*Dimensions : s.rows*Dimensions])
}

// linear writes l(in) to out. The weights are widened panel by panel, so that a
// panel is read from the cache for all rows of in.
func (m *Model) linear(s *scratch, l linear, in, out matrix) {
	inputs := l.inputs()
	size := inputs * panel
	for first := 0; first < len(l.bias); first += panel {
		m.kernel.expand(s.panel, l.weights.q[first*inputs:][:size], l.weights.scale[first:])
		m.kernel.multiply(s.rows, inputs, in, s.panel, out.from(first), l.bias[first:])
	}
}

// addNorm writes LayerNorm(x+y) to x, token by token.
func (m *Model) addNorm(s *scratch, n norm) {
	for i := range s.tokens {
		m.kernel.addNorm(s.x.row(i, Dimensions), s.y.row(i, Dimensions), n.gain, n.bias, 1./Dimensions)
	}
}

// mean writes the unit vector of the mean of the first n rows.
func mean(x matrix, n int, vector []float32) {
	clear(vector)
	for i := range n {
		for j, v := range x.row(i, Dimensions) {
			vector[j] += v
		}
	}
	var square float64
	for _, v := range vector {
		square += float64(v) * float64(v)
	}
	scale := float32(1 / math.Sqrt(square))
	for j := range vector {
		vector[j] *= scale
	}
}
