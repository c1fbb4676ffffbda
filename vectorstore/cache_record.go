package vectorstore

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"time"
)

// castagnoli is the polynomial of CRC-32C, which processors compute themselves.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksumSize is how many bytes of a record are its checksum.
const checksumSize = 4

// appendFloats writes numbers as the file holds them.
func appendFloats(b []byte, v []float32) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// readFloats fills v from as many bytes as it needs.
func readFloats(v []float32, b []byte) {
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
}

// vectorChecksum covers where a vector belongs, so that one that has moved to
// another row's place is not taken for that row's.
func vectorChecksum(space int64, hash, floats []byte) uint32 {
	var id [8]byte
	binary.LittleEndian.PutUint64(id[:], uint64(space))
	sum := crc32.Checksum(id[:], castagnoli)
	sum = crc32.Update(sum, castagnoli, hash)
	return crc32.Update(sum, castagnoli, floats)
}

// appendRecord writes the record of a vector.
func appendRecord(b []byte, space int64, hash [32]byte, vector []float32) []byte {
	begin := len(b)
	b = appendFloats(b, vector)
	return binary.LittleEndian.AppendUint32(b, vectorChecksum(space, hash[:], b[begin:]))
}

// readRecord fills vector from its record. It reports false for a record that
// is not exactly what appendRecord wrote for this space, hash and length.
func readRecord(vector []float32, space int64, hash, record []byte) bool {
	size := 4 * len(vector)
	if len(hash) != 32 || len(record) != size+checksumSize {
		return false
	}
	if binary.LittleEndian.Uint32(record[size:]) != vectorChecksum(space, hash, record[:size]) {
		return false
	}
	readFloats(vector, record)
	return true
}

// checksum covers the id, the texts and the vector of a space.
func (s Space) checksum() uint32 {
	b := binary.LittleEndian.AppendUint64(nil, uint64(s.ID))
	for _, text := range []string{s.Fingerprint, s.Model, s.Engine} {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(text)))
		b = append(b, text...)
	}
	return crc32.Checksum(appendFloats(b, s.Probe), castagnoli)
}

// failureChecksum covers all that a failure says.
func failureChecksum(space int64, hash []byte, f Failure) uint32 {
	b := binary.LittleEndian.AppendUint64(nil, uint64(space))
	b = append(b, hash...)
	b = binary.LittleEndian.AppendUint64(b, uint64(f.At.UnixNano()))
	return crc32.Checksum(append(b, f.Reason...), castagnoli)
}

// fromNano is the time of a failure as the file holds it.
func fromNano(at int64) time.Time { return time.Unix(0, at).UTC() }
