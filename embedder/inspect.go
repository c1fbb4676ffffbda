package embedder

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
)

// probeText has what tokenizers differ in: accents, a dash that is not ASCII,
// and symbols inside words.
const probeText = "Déjà vu — café: HEAD~3 | A=b"

const (
	metadataTime = 10 * time.Second // for a question that needs no model to be loaded
	sameVector   = 0.999            // cosine of the probe below which two servers differ
)

// known is a model and how to write for it.
type known struct {
	model  Model
	recipe recipe
}

// Model asks the server what it has, once; later calls repeat that answer,
// until the connection breaks. It waits for the model to be loaded. The error
// wraps ErrUnavailable, ErrModelMissing or ErrNotEmbedding, or is ctx's.
func (o *Ollama) Model(ctx context.Context) (Model, error) {
	k, err := o.current(ctx, true)
	if err != nil {
		return Model{}, err
	}
	m := k.model
	m.Probe = slices.Clone(m.Probe)
	return m, nil
}

// Remember names models that Model reported to earlier processes. If the server
// has one of them, of the same version, the first Model takes its Probe from
// there and has nothing embedded: an index that is complete costs no request to
// the model. Call it before Model and Embed.
func (o *Ollama) Remember(models ...Model) {
	models = slices.Clone(models)
	o.probed.Store(&models)
}

// current returns what is known of the server. A server that was away is asked
// again; when it has changed, only accept lets the new model take the place of
// the old one, whose vectors it must not be mixed with.
func (o *Ollama) current(ctx context.Context, accept bool) (*known, error) {
	if k := o.known.Load(); k != nil && !o.stale.Load() {
		return k, nil
	}
	if err := o.inspect.take(ctx); err != nil {
		return nil, o.ended(ctx)
	}
	defer o.inspect.give()
	old := o.known.Load()
	if !o.stale.Swap(false) && old != nil {
		return old, nil
	}
	found, err := o.examine(ctx)
	switch {
	case err != nil:
		o.stale.Store(true)
		return nil, err
	case old != nil && old.same(found):
		return old, nil
	case old != nil && !accept:
		o.stale.Store(true)
		return nil, fmt.Errorf("%w: %s gives other vectors for %s (%s) than before (%s); index again",
			ErrModelChanged, o.Host(), o.name, found.model.Engine, old.model.Engine)
	}
	o.known.Store(found)
	return found, nil
}

// same says whether vectors of the two may be compared.
func (k *known) same(other *known) bool {
	return k.model.Fingerprint == other.model.Fingerprint && dot(k.model.Probe, other.model.Probe) >= sameVector
}

// examine asks the server for everything that Model holds.
func (o *Ollama) examine(ctx context.Context) (*known, error) {
	version, err := ask(ctx, o, o.client.Version)
	if err != nil {
		return nil, err
	}
	show, err := ask(ctx, o, func(ctx context.Context) (*api.ShowResponse, error) {
		return o.client.Show(ctx, &api.ShowRequest{Model: o.name})
	})
	if err != nil {
		return nil, err
	}
	if err := o.mustEmbed(show); err != nil {
		return nil, err
	}
	list, err := ask(ctx, o, o.client.List)
	if err != nil {
		return nil, err
	}
	k := &known{recipe: recipeFor(o.name, show)}
	k.model = Model{Name: o.name, Engine: "ollama " + version, Context: contextOf(show)}
	k.model.PassageSize = passageSize(k.model.Context)
	if k.model.Digest = digestOf(o.name, list.Models); k.model.Digest == "" {
		return nil, o.missing()
	}
	if o.recall(k) {
		return k, nil
	}
	if k.model.Probe, err = o.probe(ctx, k.recipe); err != nil {
		return nil, err
	}
	k.model.Dimensions = len(k.model.Probe)
	k.model.Fingerprint = k.recipe.fingerprint(k.model)
	return k, nil
}

// recall completes k from a remembered model, at the first contact only: a
// server that was away may have come back as anything. Builds of one's own all
// call themselves 0.0.0.
func (o *Ollama) recall(k *known) bool {
	if o.known.Load() != nil || o.probed.Load() == nil || k.model.Engine == "ollama 0.0.0" {
		return false
	}
	for _, m := range *o.probed.Load() {
		found := k.model
		found.Dimensions, found.Probe = m.Dimensions, slices.Clone(m.Probe)
		found.Fingerprint = k.recipe.fingerprint(found)
		if found.Engine == m.Engine && found.Fingerprint == m.Fingerprint && len(m.Probe) == m.Dimensions && m.Dimensions > 0 {
			k.model = found
			return true
		}
	}
	return false
}

// ask puts a question that is answered at once by a server that is well.
func ask[T any](ctx context.Context, o *Ollama, question func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, metadataTime)
	defer cancel()
	answer, err := question(limited)
	if err != nil {
		return answer, o.failed(ctx, limited, err)
	}
	return answer, nil
}

// probe embeds probeText as a document.
func (o *Ollama) probe(ctx context.Context, r recipe) ([]float32, error) {
	vectors, err := o.send(ctx, Document, r.inputs(Document, []string{r.body(probeText)}))
	if err != nil {
		return nil, err
	}
	probe, err := unit(vectors[0], len(vectors[0]))
	if err != nil {
		return nil, o.unavailable(final, "%s gives no usable vector: %w; see the server's log", o.Host(), err)
	}
	return probe, nil
}

// mustEmbed refuses models that generate text: the server embeds with them,
// without a warning, into vectors that mean nothing. Servers before 0.6.4 list
// no capabilities.
func (o *Ollama) mustEmbed(show *api.ShowResponse) error {
	var has []string
	for _, c := range show.Capabilities {
		has = append(has, string(c))
	}
	if len(has) == 0 || slices.Contains(has, "embedding") {
		return nil
	}
	return &fault{final, fmt.Errorf("%w: %s is for %s; choose one that embeds, such as all-minilm, with --model",
		ErrNotEmbedding, o.name, strings.Join(has, ", "))}
}

// contextOf is the smaller of what the model was trained for and what its
// Modelfile allows, 0 when the server tells neither.
func contextOf(show *api.ShowResponse) int {
	architecture, _ := show.ModelInfo["general.architecture"].(string)
	trained, _ := show.ModelInfo[architecture+".context_length"].(float64)
	limit := int(trained)
	for line := range strings.Lines(show.Parameters) {
		fields := strings.Fields(line)
		if len(fields) != 2 || fields[0] != "num_ctx" {
			continue
		}
		if n, err := strconv.Atoi(fields[1]); err == nil && n > 0 && (limit == 0 || n < limit) {
			limit = n
		}
	}
	return limit
}

// digestOf finds a model by its name, in any of the forms that the server takes.
func digestOf(name string, models []api.ListModelResponse) string {
	for _, m := range models {
		if fullName(m.Name) == fullName(name) {
			return m.Digest
		}
	}
	return ""
}

func fullName(name string) string {
	name = strings.TrimPrefix(strings.ToLower(name), "registry.ollama.ai/")
	name = strings.TrimPrefix(name, "library/")
	if !strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ":") {
		name += ":latest"
	}
	return name
}
