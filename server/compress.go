package server

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
)

// leastCompressed is the size in bytes from which an answer is compressed: a
// smaller one fits into one packet anyway.
const leastCompressed = 1400

// compress returns content as the client takes it: with gzip where it says so
// and where that is worth the work, and else as it is. The content type is set
// already; the headers that tell of the form are set here.
func compress(w http.ResponseWriter, r *http.Request, content []byte) (_ []byte, compressed bool) {
	h := w.Header()
	if len(content) < leastCompressed || !compressible(h.Get("Content-Type")) {
		return content, false
	}
	h.Add("Vary", "Accept-Encoding")
	if !takesGzip(r.Header.Values("Accept-Encoding")) {
		return content, false
	}
	h.Set("Content-Encoding", "gzip")
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(content) // into memory, which doesn't fail
	_ = z.Close()
	return out.Bytes(), true
}

// compressible reports whether a content type is one of text.
func compressible(contentType string) bool {
	return strings.HasPrefix(contentType, "text/") || strings.HasPrefix(contentType, "image/svg") || strings.Contains(contentType, "json")
}

// takesGzip reads Accept-Encoding (RFC 9110, 12.5.3): gzip by its name, or by
// "*" where it is not named, unless its weight is 0.
func takesGzip(accepted []string) bool {
	star := false
	for item := range strings.SplitSeq(strings.Join(accepted, ","), ",") {
		coding, parameters, _ := strings.Cut(item, ";")
		wanted := true
		if name, value, ok := strings.Cut(strings.TrimSpace(parameters), "="); ok && strings.EqualFold(strings.TrimSpace(name), "q") {
			weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			wanted = err == nil && weight > 0
		}
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "x-gzip":
			return wanted
		case "*":
			star = wanted
		}
	}
	return star
}
