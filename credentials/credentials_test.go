package credentials_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/credentials"
)

const value = "sentinel-77"

// store is an empty one, and the environment that it sees.
func store(t *testing.T) (*credentials.Store, map[string]string) {
	t.Helper()
	env := make(map[string]string)
	return credentials.New(filepath.Join(t.TempDir(), "credentials"), func(name string) string { return env[name] }), env
}

func set(t *testing.T, s *credentials.Store, variable string) {
	t.Helper()
	if err := s.Set(variable, credentials.NewSecret(value)); err != nil {
		t.Fatal(err)
	}
}

// TestASecretNeverShowsItself prints, encodes and logs one in every way, also as
// a field that fmt can't call the methods of.
func TestASecretNeverShowsItself(t *testing.T) {
	type holder struct {
		Open   credentials.Secret
		closed credentials.Secret
		behind *credentials.Secret
		list   []credentials.Secret
	}
	s := credentials.NewSecret(value)
	h := holder{s, s, &s, []credentials.Secret{s}}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%c", "%b", "%p", "%U"} {
		fmt.Fprintf(&out, verb, s)
		fmt.Fprintf(&out, verb, h)
		fmt.Fprintf(&out, verb, &h)
	}
	for _, v := range []any{s, h, map[string]credentials.Secret{"x": s}} {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(raw)
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "secret", s, "holder", h)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "secret", s, "holder", h)
	for _, form := range []string{value, fmt.Sprintf("%x", value), fmt.Sprintf("%X", value)} {
		if strings.Contains(out.String(), form) {
			t.Errorf("%q shows in %s", form, out.String())
		}
	}
}

func TestCredentialsAreKeptByName(t *testing.T) {
	s, env := store(t)
	if list, err := s.List(); err != nil || len(list) != 0 {
		t.Errorf("an empty store: %v, %v", list, err)
	}
	set(t, s, "B_TOKEN")
	set(t, s, "A_TOKEN")
	set(t, s, "A_TOKEN")
	env["B_TOKEN"], env["C_TOKEN"] = "x", "y"
	list, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	want := []credentials.Credential{{Variable: "A_TOKEN", Source: "stored"}, {Variable: "B_TOKEN", Source: "environment"}}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
	for variable, want := range map[string]string{"A_TOKEN": "stored", "B_TOKEN": "environment", "C_TOKEN": "environment", "D_TOKEN": "", "": "", "A=B": ""} {
		if got, err := s.Source(variable); err != nil || got != want {
			t.Errorf("source of %q: %q, %v; want %q", variable, got, err, want)
		}
	}
	if err := s.Unset("A_TOKEN"); err != nil {
		t.Error(err)
	}
	if got, err := s.Source("A_TOKEN"); err != nil || got != "" {
		t.Errorf("source of an unset one: %q, %v", got, err)
	}
	for _, variable := range []string{"A_TOKEN", "C_TOKEN"} {
		if err := s.Unset(variable); !errors.Is(err, credentials.ErrNotStored) {
			t.Errorf("unset %s: %v", variable, err)
		}
	}
}

func TestWhatIsNoCredentialIsRefused(t *testing.T) {
	s, _ := store(t)
	for _, name := range []string{"", "1A", "A-B", "A B", "A=B", "Ä", "A\n", "$(x)", "../x"} {
		if err := s.Set(name, credentials.NewSecret(value)); !errors.Is(err, credentials.ErrInvalid) {
			t.Errorf("name %q: %v", name, err)
		}
	}
	for _, bad := range []string{"", "a\x00b", "\xff", strings.Repeat("x", 64<<10+1)} {
		if err := s.Set("A", credentials.NewSecret(bad)); !errors.Is(err, credentials.ErrInvalid) {
			t.Errorf("value %.10q: %v", bad, err)
		}
	}
	if err := s.Set("A", credentials.Secret{}); !errors.Is(err, credentials.ErrInvalid) {
		t.Errorf("the zero Secret: %v", err)
	}
	if _, err := os.Stat(s.File()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file came to be: %v", err)
	}
}

func TestOnlyItsOwnerCanReadTheFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mode tells nothing on Windows")
	}
	s, _ := store(t)
	set(t, s, "A_TOKEN")
	modes := func() [2]os.FileMode {
		file, err := os.Stat(s.File())
		if err != nil {
			t.Fatal(err)
		}
		dir, err := os.Stat(filepath.Dir(s.File()))
		if err != nil {
			t.Fatal(err)
		}
		return [2]os.FileMode{file.Mode().Perm(), dir.Mode().Perm()}
	}
	if got := modes(); got != [2]os.FileMode{0o600, 0o700} {
		t.Errorf("modes %o", got)
	}
	for _, exposed := range []struct {
		path       string
		mode, good os.FileMode
		remedy     string
	}{
		{s.File(), 0o640, 0o600, "chmod 600"}, {s.File(), 0o604, 0o600, "chmod 600"}, {filepath.Dir(s.File()), 0o755, 0o700, "chmod 700"},
	} {
		if err := os.Chmod(exposed.path, exposed.mode); err != nil {
			t.Fatal(err)
		}
		_, listErr := s.List()
		_, sourceErr := s.Source("A_TOKEN")
		for _, err := range []error{listErr, sourceErr, s.Set("B", credentials.NewSecret(value)), s.Unset("A_TOKEN")} {
			if !errors.Is(err, credentials.ErrExposed) || !strings.Contains(err.Error(), exposed.remedy) {
				t.Errorf("mode %o: %v", exposed.mode, err)
			}
		}
		if err := os.Chmod(exposed.path, exposed.good); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.List(); err != nil || len(list) != 1 {
		t.Errorf("afterwards: %v, %v", list, err)
	}
}

func TestADamagedFileIsSaidAndNotShown(t *testing.T) {
	s, _ := store(t)
	set(t, s, "A_TOKEN")
	if err := os.WriteFile(s.File(), []byte(`{"A_TOKEN":`+value), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := s.List()
	if err == nil || !strings.Contains(err.Error(), "damaged; remove it") || strings.Contains(err.Error(), value) {
		t.Errorf("list: %v", err)
	}
	if err := s.Set("B", credentials.NewSecret("x")); err == nil {
		t.Error("a damaged file was overwritten")
	}
}

// TestTwoWritersLoseNothing: one of them is told to try again.
func TestTwoWritersLoseNothing(t *testing.T) {
	s, _ := store(t)
	set(t, s, "A_TOKEN")
	held := s.File() + ".new"
	if err := os.WriteFile(held, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Set("B", credentials.NewSecret("x")); !errors.Is(err, credentials.ErrBusy) || !strings.Contains(err.Error(), held) {
		t.Errorf("while another one writes: %v", err)
	}
	if _, err := os.Stat(held); err != nil {
		t.Errorf("the other one's file: %v", err)
	}
	if err := os.Remove(held); err != nil {
		t.Fatal(err)
	}
	set(t, s, "B")
	if list, err := s.List(); err != nil || len(list) != 2 {
		t.Errorf("afterwards: %v, %v", list, err)
	}
}

func TestWithoutAFolderNothingIsStored(t *testing.T) {
	s := credentials.New("", func(name string) string { return map[string]string{"A": "x"}[name] })
	if err := s.Set("A", credentials.NewSecret(value)); err == nil || !strings.Contains(err.Error(), "set HOME") {
		t.Errorf("set: %v", err)
	}
	if source, err := s.Source("A"); err != nil || source != "environment" {
		t.Errorf("source: %q, %v", source, err)
	}
	if list, err := s.List(); err != nil || len(list) != 0 || s.File() != "" {
		t.Errorf("list: %v, %v", list, err)
	}
}
