package minilm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"unsafe"
)

// The layout of the file; scripts/builtin-model/convert.py describes it.
const (
	magic      = "SSMINI02"
	headerFrom = len(magic) + 8
	trailer    = 4 // CRC-32 (IEEE) of all bytes before it
)

// A header is what a file says of itself.
type header struct {
	Name    string            `json:"name"`
	Digest  string            `json:"sha256"` // of the blobs, in hex
	Config  config            `json:"config"`
	Tensors map[string]tensor `json:"tensors"`
}

// A config is the sizes of the network.
type config struct {
	Vocab        int `json:"vocab"`
	Hidden       int `json:"hidden"`
	Layers       int `json:"layers"`
	Heads        int `json:"heads"`
	Intermediate int `json:"intermediate"`
	Positions    int `json:"positions"`
}

// architecture is the only one that is computed.
var architecture = config{Vocab: words, Hidden: Dimensions, Layers: layers, Heads: heads, Intermediate: intermediate, Positions: Context}

// A file is an opened weights file. Its first failed look-up stays in err, and
// look-ups give zero values from then on.
type file struct {
	header
	blobs []byte
	err   error
}

// A tensor says where a blob lies.
type tensor struct {
	Type   string `json:"type"`
	Shape  []int  `json:"shape"`
	Offset int    `json:"offset"`
	Bytes  int    `json:"bytes"`
}

// open checks the bytes and reads the header. The blobs' digest, a hundred times
// dearer than the checksum, is left to Model.Check.
func open(weights string) (*file, error) {
	// A string's bytes are only read from here on.
	data := unsafe.Slice(unsafe.StringData(weights), len(weights))
	if len(data) < headerFrom+trailer || string(data[:len(magic)]) != magic {
		return nil, errors.New("not a weights file")
	}
	end := len(data) - trailer
	if got, want := crc32.ChecksumIEEE(data[:end]), binary.LittleEndian.Uint32(data[end:]); got != want {
		return nil, fmt.Errorf("weights are damaged: checksum %08x, want %08x", got, want)
	}
	length := binary.LittleEndian.Uint64(data[len(magic):])
	if length > uint64(end-headerFrom) {
		return nil, fmt.Errorf("weights header of %d bytes does not fit", length)
	}
	blobsFrom := headerFrom + int(length)
	f := &file{blobs: data[blobsFrom:end]}
	if err := json.Unmarshal(data[headerFrom:blobsFrom], &f.header); err != nil {
		return nil, fmt.Errorf("read weights header: %w", err)
	}
	switch {
	case f.Config != architecture:
		return nil, fmt.Errorf("weights are of another architecture: %+v, want %+v", f.Config, architecture)
	case f.Name == "" || len(f.Digest) != hex.EncodedLen(sha256.Size):
		return nil, errors.New("weights say neither name nor digest")
	}
	return f, nil
}

// anySize is the length of a tensor that may have any.
const anySize = -1

// blob returns the bytes of a tensor of the wanted type and, unless that is
// anySize, length.
func (f *file) blob(name, kind string, length int) []byte {
	t, ok := f.Tensors[name]
	switch {
	case f.err != nil:
		return nil
	case !ok || t.Type != kind:
		f.err = fmt.Errorf("weights hold no %s of type %s", name, kind)
		return nil
	case t.Offset < 0 || t.Bytes < 0 || t.Offset > len(f.blobs) || t.Bytes > len(f.blobs)-t.Offset:
		f.err = fmt.Errorf("weights end within %s", name)
		return nil
	case length != anySize && t.Bytes != length:
		f.err = fmt.Errorf("weights have %d bytes of %s, want %d", t.Bytes, name, length)
		return nil
	}
	return f.blobs[t.Offset:][:t.Bytes]
}

func (f *file) bytes(name string) []byte { return f.blob(name, "uint8", anySize) }

// floats returns a vector of n values.
func (f *file) floats(name string, n int) []float32 {
	blob := f.blob(name, "float32", 4*n)
	out := make([]float32, len(blob)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(blob[4*i:]))
	}
	return out
}

// table returns a matrix whose weights stay where they are.
func (f *file) table(name string, rows, columns int) table {
	blob := f.blob(name+".q", "int8", rows*columns)
	return table{
		q:     unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(blob))), len(blob)),
		scale: f.floats(name+".s", rows),
	}
}

func (f *file) linear(name string, outputs, inputs int) linear {
	return linear{weights: f.table(name, outputs, inputs), bias: f.floats(name+".b", outputs)}
}

func (f *file) norm(name string) norm {
	return norm{gain: f.floats(name+".w", Dimensions), bias: f.floats(name+".b", Dimensions)}
}

func (f *file) layer(name string) layer {
	return layer{
		qkv:           f.linear(name+"qkv", 3*Dimensions, Dimensions),
		attention:     f.linear(name+"attention", Dimensions, Dimensions),
		attentionNorm: f.norm(name + "attention.norm"),
		up:            f.linear(name+"up", intermediate, Dimensions),
		down:          f.linear(name+"down", Dimensions, intermediate),
		downNorm:      f.norm(name + "down.norm"),
	}
}

// floats returns the whole matrix as float32.
func (t table) floats() []float32 {
	out := make([]float32, len(t.q))
	columns := len(t.q) / max(len(t.scale), 1)
	for row := range t.scale {
		t.row(out[row*columns:][:columns], row)
	}
	return out
}

// row writes one row of a matrix that is stored row by row.
func (t table) row(dst []float32, row int) {
	scale := t.scale[row]
	for i, q := range t.q[row*len(dst):][:len(dst)] {
		dst[i] = float32(q) * scale
	}
}
