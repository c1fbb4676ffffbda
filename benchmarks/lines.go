package benchmarks

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// maxLine is the longest line, in bytes, that a collection may have: a document
// of a corpus is one line.
const maxLine = 64 << 20

// A line is one line of a file, for what is to be said of it.
type line struct {
	path   string
	number int // from 1
	text   string
}

// errorf is an error about the line.
func (l line) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", l.path, l.number, fmt.Errorf(format, args...))
}

// readLines calls read with every line of a file that is not blank, without its
// end and without a byte-order mark. It stops at the first error. A file
// without any such line is an error.
func readLines(path string, read func(l line) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return scanLines(path, f, read)
}

func scanLines(path string, r io.Reader, read func(l line) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 1<<16), maxLine)
	l, some := line{path: path}, false
	for s.Scan() {
		l.number++
		raw := s.Bytes()
		if l.number == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		if !utf8.Valid(raw) {
			return l.errorf("the line is not UTF-8; save the file as UTF-8")
		}
		l.text, some = string(raw), true
		if err := read(l); err != nil {
			return err
		}
	}
	switch err := s.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		l.number++
		return l.errorf("the line is longer than %d MiB", maxLine>>20)
	case err != nil:
		return fmt.Errorf("read %s: %w", path, err)
	case !some:
		return fmt.Errorf("%s is empty", path)
	}
	return nil
}

// A table cuts lines into columns. Its first line says what separates them in
// all: tabs where it has one, else runs of blanks. Hence an ID in a file with
// tabs may have blanks.
type table struct {
	want      []string // names of the columns
	separator string   // "\t", " ", or "" before the first line
	decidedAt int
}

// cut gives the columns of a line, trimmed, or says what is wrong with it.
func (t *table) cut(l line) ([]string, error) {
	if t.separator == "" {
		t.separator, t.decidedAt = " ", l.number
		if strings.Contains(l.text, "\t") {
			t.separator = "\t"
		}
	}
	columns := t.split(l.text)
	if len(columns) != len(t.want) {
		return nil, t.miscount(l, len(columns))
	}
	for i, c := range columns {
		if c = strings.TrimSpace(c); c == "" {
			return nil, l.errorf("column %d (%s) is empty", i+1, t.want[i])
		}
		columns[i] = c
	}
	return columns, nil
}

func (t *table) split(text string) []string {
	if t.separator == "\t" {
		return strings.Split(strings.TrimRight(text, "\t\r "), "\t")
	}
	return strings.Fields(text)
}

// miscount says that a line has the wrong number of columns, and whether another
// separator would give the right one.
func (t *table) miscount(l line, got int) error {
	used, otherwise := "blanks", strings.Split(l.text, "\t")
	if t.separator == "\t" {
		used, otherwise = "tabs", strings.Fields(l.text)
	}
	names := strings.Join(t.want, ", ")
	if len(otherwise) == len(t.want) {
		return l.errorf("separators are mixed: line %d has %s, by which this one has %d columns; use one of the two throughout for %s", t.decidedAt, used, got, names)
	}
	return l.errorf("%d columns separated by %s, want %d: %s", got, used, len(t.want), names)
}
