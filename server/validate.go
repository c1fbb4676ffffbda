package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"
)

// sendTagged answers a GET or HEAD with content that the client may have: its
// ETag is the digest of the content, so that it changes when the content does,
// and a client that names it gets 304 and no content. modified may be zero. The
// content type is set already.
func sendTagged(w http.ResponseWriter, r *http.Request, modified time.Time, content []byte) {
	sum := sha256.Sum256(content)
	tag := hex.EncodeToString(sum[:16])
	content, compressed := compress(w, r, content)
	if compressed {
		tag += "-gzip" // other bytes have another tag
	}
	w.Header().Set("ETag", `"`+tag+`"`)
	// It is small enough to be sent whole, which a server may always do; an
	// unsatisfiable range would be answered without a problem document.
	r.Header.Del("Range")
	http.ServeContent(w, r, "", modified, bytes.NewReader(content))
}
