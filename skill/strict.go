package skill

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// unknownField is how the decoder words a key that the target has no field for.
var unknownField = regexp.MustCompile(`line (\d+): field (.+) not found in type`)

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
	return errors.New(strings.TrimPrefix(strings.Join(strings.Fields(err.Error()), " "), "yaml: "))
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
