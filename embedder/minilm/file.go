package minilm

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"unsafe"
)

// SHA256 is the digest of the weights file that this version reads, in hex.
// scripts/builtin-model/convert.py prints both constants.
const (
	SHA256   = "609ac136843e3c7020c1e732a767b95b1968b62e74fa80ec5484ec6e18692fe1"
	checksum = 0xd070bfb9 // CRC-32 (IEEE) of the same bytes
)

// The layout of the file; scripts/builtin-model/convert.py describes it.
const (
	magic      = "SSMINI01"
	headerFrom = len(magic) + 8
)

// A file is an opened weights file. Its first failed look-up stays in err, and
// look-ups give zero values from then on.
type file struct {
	tensors map[string]tensor
	blobs   []byte
	err     error
}

// A tensor says where a blob lies.
type tensor struct {
	Type   string `json:"type"`
	Shape  []int  `json:"shape"`
	Offset int    `json:"offset"`
	Bytes  int    `json:"bytes"`
}

// open checks the bytes and reads the header. The checksum, a hundredth of the
// SHA-256's cost, makes sure that SHA256 is the name of these weights.
func open(weights string) (*file, error) {
	// A string's bytes are only read from here on.
	data := unsafe.Slice(unsafe.StringData(weights), len(weights))
	if len(data) < headerFrom || string(data[:len(magic)]) != magic {
		return nil, errors.New("not a weights file")
	}
	if got := crc32.ChecksumIEEE(data); got != checksum {
		return nil, fmt.Errorf("weights are damaged: checksum %08x, want %08x", got, uint32(checksum))
	}
	length := binary.LittleEndian.Uint64(data[len(magic):])
	if length > uint64(len(data)-headerFrom) {
		return nil, fmt.Errorf("weights header of %d bytes does not fit", length)
	}
	blobsFrom := headerFrom + int(length)
	f := &file{blobs: data[blobsFrom:]}
	header := struct{ Tensors *map[string]tensor }{&f.tensors}
	if err := json.Unmarshal(data[headerFrom:blobsFrom], &header); err != nil {
		return nil, fmt.Errorf("read weights header: %w", err)
	}
	return f, nil
}

// blob returns the bytes of a tensor of the wanted type.
func (f *file) blob(name, kind string) []byte {
	t, ok := f.tensors[name]
	switch {
	case f.err != nil:
		return nil
	case !ok || t.Type != kind:
		f.err = fmt.Errorf("weights hold no %s of type %s", name, kind)
		return nil
	case t.Offset < 0 || t.Bytes < 0 || t.Offset > len(f.blobs) || t.Bytes > len(f.blobs)-t.Offset:
		f.err = fmt.Errorf("weights end within %s", name)
		return nil
	}
	return f.blobs[t.Offset:][:t.Bytes]
}

func (f *file) bytes(name string) []byte { return f.blob(name, "uint8") }

func (f *file) floats(name string) []float32 {
	blob := f.blob(name, "float32")
	out := make([]float32, len(blob)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(blob[4*i:]))
	}
	return out
}

// table returns a matrix whose weights stay where they are.
func (f *file) table(name string) table {
	blob := f.blob(name+".q", "int8")
	return table{
		q:     unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(blob))), len(blob)),
		scale: f.floats(name + ".s"),
	}
}

func (f *file) linear(name string) linear {
	return linear{weights: f.table(name), bias: f.floats(name + ".b")}
}

func (f *file) norm(name string) norm {
	return norm{gain: f.floats(name + ".w"), bias: f.floats(name + ".b")}
}

func (f *file) layer(name string) layer {
	return layer{
		qkv:           f.linear(name + "qkv"),
		attention:     f.linear(name + "attention"),
		attentionNorm: f.norm(name + "attention.norm"),
		up:            f.linear(name + "up"),
		down:          f.linear(name + "down"),
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
