// Command embed writes testdata/minilm.bf16, the vectors of real short texts
// that the parity test ranks: 1,000 descriptions of skills, made of parts
// below, and 40 queries. Run it in the folder vectorstore, with a server that
// has the model:
//
//	go run ./testdata/embed -host http://127.0.0.1:11434 -model all-minilm
//
// The file is 1,040 vectors of 384 numbers, each the upper half of a float32
// in little-endian order (bfloat16), which is near enough to be real.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"net/http"
	"os"
)

const (
	documents = 1_000
	queries   = 40
	batch     = 8
)

var (
	verbs = []string{
		"Extracts", "Summarises", "Converts", "Validates", "Draws", "Schedules", "Translates", "Deploys", "Compares", "Cleans",
		"Reviews", "Encrypts", "Measures", "Renames", "Publishes", "Diagnoses", "Merges", "Generates", "Archives", "Monitors",
	}
	objects = []string{
		"tables from PDF invoices", "meeting notes into action items", "PNG images to WebP", "JSON against a schema",
		"sequence diagrams from source code", "backups of a Postgres database", "release notes into German",
		"a container to a Kubernetes cluster", "two versions of a contract", "duplicate rows in spreadsheets",
		"pull requests for security faults", "customer files with age keys", "latency of HTTP endpoints", "photos by the date they were taken",
		"a static site to a bucket", "memory leaks in Go services", "calendars of several people", "unit tests for Python functions",
		"old e-mail into yearly folders", "certificates that are about to expire", "CSV exports into charts", "voice memos to text",
		"Terraform plans for cost", "recipes to shopping lists", "tide tables for a harbour",
	}
	settings = []string{
		"Use when a document has many pages.", "Works offline.", "Needs a token in the environment.", "For teams with strict audit rules.",
		"Asks before it overwrites anything.", "Suited to nightly jobs.", "Prints a short report at the end.",
	}
	asked = []string{
		"get the tables out of a pdf", "what did we decide in the meeting", "make pictures smaller", "check my json", "draw a diagram of this code",
		"back up the database every night", "translate the changelog", "roll out to kubernetes", "what changed in this contract", "remove duplicate lines in excel",
		"is this pull request safe", "encrypt a file for a customer", "why is the api slow", "sort my holiday photos", "publish the website",
		"the service eats memory", "find a time for a meeting", "write tests", "tidy my inbox", "which certificates run out",
		"plot this csv", "transcribe a recording", "how much will this infrastructure cost", "shopping list for dinner", "when is high tide",
		"rename files by date", "compare two documents", "schedule a job", "deploy", "security review",
		"spreadsheet", "postgres", "image conversion", "go profiling", "e-mail archive",
		"speech to text", "terraform", "cooking", "sailing", "a report of failures",
	}
)

func main() {
	host := flag.String("host", "http://127.0.0.1:11434", "address of an Ollama server")
	model := flag.String("model", "all-minilm", "embedding model")
	out := flag.String("out", "testdata/minilm.bf16", "file to write")
	flag.Parse()
	if err := run(*host, *model, *out); err != nil {
		fmt.Fprintln(os.Stderr, "embed:", err)
		os.Exit(2)
	}
}

func run(host, model, out string) error {
	var file bytes.Buffer
	for texts := range chunks(append(descriptions(), asked[:queries]...)) {
		vectors, err := embed(host, model, texts)
		if err != nil {
			return err
		}
		for _, x := range vectors {
			// Half of what is cut off is added first, which rounds.
			half := uint16((math.Float32bits(x) + 0x8000) >> 16)
			if err := binary.Write(&file, binary.LittleEndian, half); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(out, file.Bytes(), 0o644)
}

// descriptions are 1,000 texts, all different: the pairs of a verb and an
// object, twice, with settings that differ.
func descriptions() []string {
	texts := make([]string, documents)
	for i := range texts {
		pair := i % (len(verbs) * len(objects))
		setting := settings[(pair+i/(len(verbs)*len(objects))*3)%len(settings)]
		texts[i] = verbs[pair%len(verbs)] + " " + objects[pair/len(verbs)] + ". " + setting
	}
	return texts
}

// chunks yields texts in batches that no server refuses.
func chunks(texts []string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		for len(texts) > 0 {
			n := min(batch, len(texts))
			if !yield(texts[:n]) {
				return
			}
			texts = texts[n:]
		}
	}
}

// embed returns the numbers of all vectors, one vector after the other.
func embed(host, model string, texts []string) ([]float32, error) {
	request, err := json.Marshal(map[string]any{"model": model, "input": texts})
	if err != nil {
		return nil, err
	}
	response, err := http.Post(host+"/api/embed", "application/json", bytes.NewReader(request))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var answer struct {
		Error      string      `json:"error"`
		Embeddings [][]float32 `json:"embeddings"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if len(answer.Embeddings) != len(texts) {
		return nil, fmt.Errorf("%d vectors for %d texts: %s %s", len(answer.Embeddings), len(texts), response.Status, answer.Error)
	}
	var all []float32
	for _, v := range answer.Embeddings {
		all = append(all, v...)
	}
	return all, nil
}
