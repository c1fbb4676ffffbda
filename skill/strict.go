package skill

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// unknownField is how the decoder words a key that the target has no field for.
var unknownField = regexp.MustCompile(`line (\d+): field (.+) not found in type`)

// wrongType is how it words a value of another form; the type may be long.
var (
	wrongType = regexp.MustCompile("(?s)line (\\d+): cannot unmarshal (\\S+)(?: `.*?`)? into (.+)")
	structTag = regexp.MustCompile(`yaml:\\?"([a-z_]+)`)
)

// DecodeStrict decodes YAML that people write for skillsearch itself into a
// struct. An unknown key is an error that names its line and the closest known
// key. An empty document leaves the target as it is.
func DecodeStrict(raw []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.KnownFields(true)
	err := d.Decode(into)
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	if m := unknownField.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("line %s: unknown key %q; did you mean %q?", m[1], m[2], closestKey(m[2], reflect.TypeOf(into)))
	}
	if m := wrongType.FindStringSubmatch(err.Error()); m != nil {
		return typeError(raw, m[1], m[2], m[3])
	}
	return fmt.Errorf("%s; correct this line (indentation takes blanks, no tabs)", strings.TrimPrefix(strings.Join(strings.Fields(err.Error()), " "), "yaml: "))
}

// typeError says in words that a value has another form than its key takes.
func typeError(raw []byte, line, tag, target string) error {
	n, _ := strconv.Atoi(line)
	key := ""
	if lines := bytes.Split(raw, []byte("\n")); n >= 1 && n <= len(lines) {
		before, _, _ := strings.Cut(string(lines[n-1]), ":")
		key = strings.TrimLeft(before, " -")
	}
	is := map[string]string{"!!str": "a text", "!!seq": "a list", "!!map": "a mapping", "!!int": "a number", "!!float": "a number", "!!bool": "true or false"}[tag]
	if is == "" {
		is = "something else"
	}
	takes := "a text"
	switch {
	case strings.HasPrefix(target, "[]"):
		takes = "a list, each entry on a line that begins with \"- \""
	case strings.HasPrefix(target, "struct"), strings.HasPrefix(target, "map"), strings.Contains(target, "."):
		takes = "keys with values, such as {" + firstKey(target) + ": …}"
	case target == "bool":
		takes = "true or false"
	}
	return fmt.Errorf("line %s: the value of %q is %s; it must be %s", line, key, is, takes)
}

// firstKey is the first key of a struct type as reflection prints it.
func firstKey(target string) string {
	if m := structTag.FindStringSubmatch(target); m != nil {
		return m[1]
	}
	return "key"
}

// closestKey is the key of a type, at any depth, that is spelt most alike.
func closestKey(key string, t reflect.Type) string {
	best, least := "", 0
	for _, known := range keysOf(t) {
		if d := distance(strings.ToLower(key), known); best == "" || d < least {
			best, least = known, d
		}
	}
	return best
}

func keysOf(t reflect.Type) []string {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return keysOf(t.Elem())
	case reflect.Struct:
		var keys []string
		for i := range t.NumField() {
			f := t.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			if name != "" && name != "-" {
				keys = append(keys, name)
			}
			keys = append(keys, keysOf(f.Type)...)
		}
		return keys
	}
	return nil
}
