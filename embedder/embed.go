package embedder

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"
)

// batchSize is the number of texts in a document request. A larger one gains
// nothing on a CPU, and a query waits for all of it.
const batchSize = 8

// Embed returns the vector of each text, in the order of texts, for one side
// of a search. A text that has none, because it is blank or the model can't
// take it, says so in its Err; the others have theirs.
//
// An error means that the server can't go on, and no vector is returned: it
// wraps ErrUnavailable, ErrModelMissing, ErrNotEmbedding or ErrModelChanged, or
// is ctx's. A server that is away at the first request fails at once; one that
// breaks off later is waited for, 8 seconds for documents. Texts are sent in
// batches of 8, so ctx is honoured, and a caller that wants to keep what it has
// when a later text fails the call does well to ask for few at a time.
func (o *Ollama) Embed(ctx context.Context, role Role, texts []string) ([]Embedding, error) {
	k, err := o.current(ctx, false)
	if err != nil {
		return nil, err
	}
	c := &call{o: o, role: role, known: k}
	results := make([]Embedding, len(texts))
	var jobs []job
	for i, text := range texts {
		if body := k.recipe.body(text); body != "" {
			jobs = append(jobs, job{body, &results[i]})
		} else {
			results[i].Err = ErrBlank
		}
	}
	for batch := range slices.Chunk(jobs, batchSize) {
		c.patience = patience{role: role}
		if err := c.embed(ctx, batch); err != nil {
			return nil, err
		}
		if err := c.blameServer(ctx, batch); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// A call is one Embed under way.
type call struct {
	o        *Ollama
	role     Role
	known    *known
	patience patience
}

// A job is a text, ready but for its prefix, and where its vector goes.
type job struct {
	body   string
	result *Embedding
}

// embed fills the results of jobs. Where the server refuses them together it
// halves them, down to the text that is to blame.
func (c *call) embed(ctx context.Context, jobs []job) error {
	bodies := make([]string, len(jobs))
	for i, j := range jobs {
		bodies[i] = j.body
	}
	vectors, err := c.request(ctx, bodies)
	f := faultOf(err)
	switch {
	case f == nil:
		return c.accept(ctx, jobs, vectors)
	case !f.kind.ofText():
		return f
	case len(jobs) == 1:
		return c.embedParts(ctx, jobs[0], f)
	}
	c.o.log.Debug("embedding batch refused, splitting it", "texts", len(jobs), "error", f)
	half := len(jobs) / 2
	if err := c.embed(ctx, jobs[:half]); err != nil {
		return err
	}
	return c.embed(ctx, jobs[half:])
}

// accept keeps the good vectors. A bad one may be the fault of another text in
// the batch, so its text is sent alone before it is given up.
func (c *call) accept(ctx context.Context, jobs []job, vectors [][]float32) error {
	var doubtful []job
	for i, j := range jobs {
		v, err := unit(vectors[i], c.known.model.Dimensions)
		switch {
		case err == nil:
			*j.result = Embedding{Vector: v, Parts: 1}
		case len(jobs) == 1:
			j.result.Err = fmt.Errorf("%s: %w", c.o.name, err)
		default:
			doubtful = append(doubtful, j)
		}
	}
	for i := range doubtful {
		if err := c.embed(ctx, doubtful[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// embedParts is for a text that was refused alone. One that is too long, or
// crashes the model, is embedded in parts; its vector is their mean, weighted
// by length.
func (c *call) embedParts(ctx context.Context, j job, refusal *fault) error {
	if refusal.kind == unusable {
		j.result.Err = refusal
		return nil
	}
	sum := mean{sum: make([]float64, c.known.model.Dimensions)}
	err := c.addHalves(ctx, j.body, refusal, &sum)
	if f := faultOf(err); f != nil && f.kind.ofText() {
		j.result.Err = err
		return nil
	}
	if err != nil {
		return err
	}
	v, err := unit(sum.sum, c.known.model.Dimensions)
	if err != nil {
		j.result.Err = fmt.Errorf("%s: %w", c.o.name, err)
		return nil
	}
	*j.result = Embedding{Vector: v, Parts: sum.parts}
	return nil
}

// addHalves adds the vectors of a text's halves to sum, or of their halves
// where they are refused too. The refusal is the answer for a text too short
// to halve.
func (c *call) addHalves(ctx context.Context, text string, refusal *fault, sum *mean) error {
	left, right, ok := halve(text)
	if !ok {
		return refusal
	}
	for _, half := range []string{left, right} {
		vectors, err := c.request(ctx, []string{half})
		if f := faultOf(err); f != nil && (f.kind == tooLong || f.kind == crashed) {
			err = c.addHalves(ctx, half, f, sum)
		} else if err == nil {
			err = sum.add(vectors[0], utf8.RuneCountInString(half))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// request sends texts, again where that may help.
func (c *call) request(ctx context.Context, bodies []string) ([][]float32, error) {
	for {
		vectors, err := c.try(ctx, bodies)
		if err == nil {
			return vectors, nil
		}
		delay, again := c.patience.retry(faultOf(err).kind)
		if !again {
			return nil, err
		}
		c.o.log.Warn("embedding request failed, trying again", "delay", delay, "error", err)
		if pause(ctx, delay) != nil {
			return nil, c.o.ended(ctx)
		}
	}
}

// try sends texts to the server that the call began with, and to no other.
func (c *call) try(ctx context.Context, bodies []string) ([][]float32, error) {
	now, err := c.o.current(ctx, false)
	if err != nil {
		return nil, err
	}
	if now != c.known {
		return nil, fmt.Errorf("%w: %s was asked for its model anew meanwhile; index again", ErrModelChanged, c.o.Host())
	}
	return c.o.send(ctx, c.role, c.known.recipe.inputs(c.role, bodies))
}

// blameServer tells texts that crash a server from a server that crashes: one
// that still embeds the probe is well, and the texts keep their errors.
func (c *call) blameServer(ctx context.Context, jobs []job) error {
	i := slices.IndexFunc(jobs, func(j job) bool {
		f := faultOf(j.result.Err)
		return f != nil && f.kind == crashed
	})
	if i < 0 {
		return nil
	}
	_, err := c.o.probe(ctx, c.known.recipe)
	return err
}
