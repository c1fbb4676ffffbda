package minilm

// maxRows is the most rows of a text: Context rounded up to a multiple of every
// kernel's tile.
const maxRows = 264

// A scratch holds the activations of one text in one buffer. Rows behind the
// last token fill up tiles: what they hold does not reach the other rows.
type scratch struct {
	tokens  int // of the text
	rows    int // tokens, rounded up to whole tiles
	columns int // tokens, rounded up to whole panels

	x, y    matrix    // the residual, and what is added to it: [rows][Dimensions]
	qkv     matrix    // [rows][3*Dimensions]
	mixed   matrix    // [rows][Dimensions]
	up      matrix    // [rows][intermediate]
	scores  matrix    // of one head: [rows][columns]
	keys    []float32 // of one head: [columns/panel][headSize][panel]
	values  []float32 // of one head: [tokens][panel]
	inverse []float32 // 1 / sum of a row of scores
	panel   []float32 // widened weights: [inputs][panel]
}

// newScratch takes every part at a multiple of 64 bytes, the length of a cache
// line and of the longest register: Go aligns so large a buffer to a page.
func newScratch() *scratch {
	const total = maxRows*(6*Dimensions+intermediate+Context) + 2*Context*panel + Context + intermediate*panel
	free := make([]float32, total)
	take := func(n int) []float32 {
		part := free[:n:n]
		free = free[n:]
		return part
	}
	rows := func(width int) matrix { return matrix{take(maxRows * width), width} }
	return &scratch{
		x: rows(Dimensions), y: rows(Dimensions), qkv: rows(3 * Dimensions), mixed: rows(Dimensions),
		up: rows(intermediate), scores: rows(Context),
		keys: take(Context * panel), values: take(Context * panel),
		inverse: take(Context), panel: take(intermediate * panel),
	}
}

// size prepares for a text of n tokens on a kernel whose tiles have tileRows.
func (s *scratch) size(n, tileRows int) {
	s.tokens = n
	s.rows = (n + tileRows - 1) / tileRows * tileRows
	s.columns = (n + panel - 1) / panel * panel
	s.scores.stride = s.columns
}
