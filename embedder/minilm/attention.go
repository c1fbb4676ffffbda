package minilm

import "math"

// A head's keys and values are one panel wide, which the code below counts on.
var _ [panel]struct{} = [headSize]struct{}{}

// attend writes to mixed, for each head and token, the values of all tokens
// weighted by how well their keys answer the token's query.
func (m *Model) attend(s *scratch) {
	for head := range heads {
		query := s.qkv.from(head * headSize)
		s.packKeys(query.from(Dimensions))
		s.packValues(query.from(2 * Dimensions))
		m.weigh(s, query)
		out := s.mixed.from(head * headSize)
		m.kernel.multiply(s.rows, s.tokens, s.scores, s.values, out, zeros[:])
		for i := range s.tokens {
			for j, v := range out.row(i, headSize) {
				out.data[i*out.stride+j] = v * s.inverse[i]
			}
		}
	}
}

// zeros is the bias of a product without one; nothing writes to it.
var zeros [panel]float32

// weigh writes the weight of every token for every token to scores, and to
// inverse what they must be multiplied with to sum to 1.
func (m *Model) weigh(s *scratch, query matrix) {
	scale := float32(1 / math.Sqrt(headSize))
	for first := 0; first < s.columns; first += panel {
		m.kernel.multiply(s.rows, headSize, query, s.keys[first*headSize:], s.scores.from(first), zeros[:])
	}
	for i := range s.tokens {
		row := s.scores.row(i, s.columns)
		for j := s.tokens; j < len(row); j++ {
			row[j] = -math.MaxFloat32
		}
		s.inverse[i] = 1 / m.kernel.softmax(row, scale)
	}
}

// packKeys lays the keys of one head out in panels of 32 tokens. Columns behind
// the last token keep what they held: weigh overwrites their scores.
func (s *scratch) packKeys(keys matrix) {
	for i := range s.tokens {
		block := s.keys[i/panel*panel*headSize:][:panel*headSize]
		for d, v := range keys.row(i, headSize) {
			block[d*panel+i%panel] = v
		}
	}
}

// packValues lays the values of one head out as one panel.
func (s *scratch) packValues(values matrix) {
	for i := range s.tokens {
		copy(s.values[i*panel:][:panel], values.row(i, headSize))
	}
}
