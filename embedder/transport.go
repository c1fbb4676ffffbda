package embedder

import (
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	connectTime = 2 * time.Second
	// maxAnswer is far above eight vectors of the widest models, which are
	// 1 MB, and a list of all models of a server.
	maxAnswer = 16 << 20
)

func newTransport() http.RoundTripper {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: connectTime, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 5 * time.Second,
		IdleConnTimeout:     90 * time.Second,
		ForceAttemptHTTP2:   true,
	}
}

// A transport adds credentials and headers to requests, and turns away answers
// that can't be Ollama's.
type transport struct {
	next    http.RoundTripper
	user    *url.Userinfo
	headers http.Header
}

// A foreign error says that something answers that is not Ollama.
type foreign struct{ answer string }

func (f *foreign) Error() string { return f.answer }

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	if t.user != nil {
		password, _ := t.user.Password()
		req.SetBasicAuth(t.user.Username(), password)
	}
	for name, values := range t.headers {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	if host := t.headers.Get("Host"); host != "" {
		req.Host = host
	}
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if what := oddity(resp); what != "" {
		resp.Body.Close()
		return nil, &foreign{what}
	}
	limited := http.MaxBytesReader(nil, resp.Body, maxAnswer)
	resp.Body = struct {
		io.Reader
		io.Closer
	}{limited, resp.Body}
	return resp, nil
}

// oddity says what is wrong with an answer that claims success, "" if nothing.
func oddity(resp *http.Response) string {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case resp.StatusCode >= http.StatusBadRequest:
		return ""
	case resp.StatusCode >= http.StatusMultipleChoices:
		// Following it could take credentials elsewhere, and make a GET of a POST.
		return fmt.Sprintf("a redirect (%s)", resp.Status)
	case kind != "application/json":
		return fmt.Sprintf("%q instead of JSON", kind)
	}
	return ""
}
