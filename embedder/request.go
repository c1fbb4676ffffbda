package embedder

import (
	"context"
	"fmt"
	"time"

	"github.com/ollama/ollama/api"
)

const (
	// loadTime is how long Ollama itself lets a model load
	// (OLLAMA_LOAD_TIMEOUT). A request that is given up before makes it start
	// again, and a model is unloaded after five idle minutes.
	loadTime = 5 * time.Minute
	// textTime is for one text of a full context on a slow machine.
	textTime = 15 * time.Second
)

// send makes one request. Documents wait for one another, so that a query
// stands behind one batch at most in the server's queue; queries don't.
func (o *Ollama) send(ctx context.Context, role Role, inputs []string) ([][]float32, error) {
	if role == Document {
		if err := o.documents.take(ctx); err != nil {
			return nil, o.ended(ctx)
		}
		defer o.documents.give()
	}
	limited, cancel := context.WithTimeout(ctx, loadTime+time.Duration(len(inputs))*textTime)
	defer cancel()
	truncate := false
	answer, err := o.client.Embed(limited, &api.EmbedRequest{Model: o.name, Input: inputs, Truncate: &truncate})
	if err != nil {
		return nil, o.failed(ctx, limited, err)
	}
	if len(answer.Embeddings) != len(inputs) {
		return nil, &fault{unusable, fmt.Errorf("%s: the server gave %d vectors for %d texts", o.name, len(answer.Embeddings), len(inputs))}
	}
	return answer.Embeddings, nil
}

// failed sorts the error of a request that ran under limited, a child of ctx.
func (o *Ollama) failed(ctx, limited context.Context, err error) *fault {
	if ctx.Err() != nil {
		return o.ended(ctx)
	}
	if limited.Err() != nil {
		return o.unavailable(final, "%s accepts requests but does not answer: restart it", o.Host())
	}
	f := o.sort(err)
	if f.kind == unreachable || f.kind == transient {
		o.stale.Store(true)
	}
	return f
}

// A patience is what is left of the retries of one batch.
type patience struct {
	role  Role
	spent int // retries so far
}

// firstDelay doubles with every retry: documents wait 8 seconds in all, which a
// server needs to be started again, queries a tenth of that.
const firstDelay = 250 * time.Millisecond

// retry says whether, and after how long, to make the same request again. A
// crash gets one more try only: the texts themselves may be the cause.
func (p *patience) retry(kind faultKind) (time.Duration, bool) {
	most := 0
	switch kind {
	case transient:
		most = 5
	case unreachable:
		if p.role == Document {
			most = 5
		}
	case crashed:
		most = 1
	}
	if p.role == Query {
		most = min(most, 2)
	}
	if p.spent >= most {
		return 0, false
	}
	p.spent++
	return firstDelay << (p.spent - 1), true
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
