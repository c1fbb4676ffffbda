package vectorstore_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skillsearch/skillsearch/vectorstore"
)

// The test binary is its own second process: with a word in this variable it
// does what helpers says and tests nothing.
const helperVariable = "VECTORSTORE_HELPER"

func TestMain(m *testing.M) {
	word, path, _ := strings.Cut(os.Getenv(helperVariable), " ")
	if word == "" {
		os.Exit(m.Run())
	}
	if err := helpers[word](path); err != nil {
		fmt.Fprintln(os.Stderr, word+":", err)
		os.Exit(1)
	}
}

var helpers = map[string]func(path string) error{
	"readonly": readWhatIsThere,
	"write":    writeForEver,
	"share":    writeShared,
	"count":    countUp,
	"hold":     holdLock,
}

// helper prepares a second process; its stderr is the test's.
func helper(tb testing.TB, word, path string) *exec.Cmd {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	command := exec.Command(self)
	command.Env = append(os.Environ(), helperVariable+"="+word+" "+path)
	command.Stderr = os.Stderr
	return command
}

const batch = 8

// writeForEver stores batches of a space and says how many are committed,
// beginning after those that are there.
func writeForEver(path string) error {
	ctx := context.Background()
	cache, err := vectorstore.OpenCache(ctx, path, vectorstore.CacheOptions{})
	if err != nil {
		return err
	}
	if notices := cache.Notices(); len(notices) > 0 {
		return fmt.Errorf("notices: %q", notices)
	}
	s, err := cache.Space(ctx, model(1, 48))
	if err != nil {
		return err
	}
	n := 0
	if _, err := cache.Vectors(ctx, s, vectorstore.Cursor{}, func([32]byte, []float32) error { n++; return nil }); err != nil {
		return err
	}
	for i := n / batch; ; i++ {
		if err := cache.Put(ctx, s, entries("text", i*batch, (i+1)*batch, 48)); err != nil {
			return err
		}
		fmt.Println(i + 1)
	}
}

// A writer is killed at any moment, again and again, also while it makes the
// file. Every start works, and what it said to be committed is there.
func TestKilledWriterLosesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 12))
	path := cachePath(t)
	committed := 0
	for round := range rounds(t, 20) {
		command := helper(t, "write", path)
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(random.IntN(150))*time.Millisecond, func() { command.Process.Kill() })
		said, err := lastLine(out)
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Fatalf("round %d: the writer ended by itself: %v", round, err)
		}
		committed = max(committed, said)

		cache := open(t, path)
		noNotices(t, cache)
		s := space(t, cache, model(1, 48))
		got, _ := vectors(t, cache, s, vectorstore.Cursor{})
		if len(got)%batch != 0 || len(got) < committed*batch || len(got) > (committed+1)*batch {
			t.Fatalf("round %d: %d vectors, %d batches of %d were committed", round, len(got), committed, batch)
		}
		committed = len(got) / batch
		if diff := cmp.Diff(entries("text", 0, len(got), 48), got); diff != "" {
			t.Fatalf("round %d (-want +got):\n%s", round, diff)
		}
		if err := cache.Close(); err != nil {
			t.Fatal(err)
		}
		if committed > 300 { // a new file now and then: making it is killed too
			if err := vectorstore.ClearFile(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			committed = 0
		}
	}
	open(t, path).Close()
	if diff := cmp.Diff([]string{"vectors.db", "vectors.db.opening"}, names(t, path)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// lastLine reads numbers until the end and returns the last whole one.
func lastLine(r io.Reader) (int, error) {
	last := 0
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return last, nil
		}
		if err != nil {
			return 0, err
		}
		if last, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
			return 0, err
		}
	}
}

// writeShared stores 40 batches that other processes store too, in an order of
// its own, and reads between them.
func writeShared(path string) error {
	ctx := context.Background()
	path, seed, _ := strings.Cut(path, "|")
	n, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return err
	}
	cache, err := vectorstore.OpenCache(ctx, path, vectorstore.CacheOptions{})
	if err != nil {
		return err
	}
	defer cache.Close()
	s, err := cache.Space(ctx, model(1, 48))
	if err != nil {
		return err
	}
	var cursor vectorstore.Cursor
	for _, i := range rand.New(rand.NewPCG(n, n)).Perm(40) {
		if err := cache.Put(ctx, s, entries("text", i*batch, (i+1)*batch, 48)); err != nil {
			return err
		}
		if cursor, err = cache.Vectors(ctx, s, cursor, func(hash [32]byte, vector []float32) error { return nil }); err != nil {
			return err
		}
	}
	for _, notice := range cache.Notices() {
		fmt.Println(notice)
	}
	return nil
}

// Four processes start at once on a file that is not there, that is there, and
// that is damaged: each finishes, and the file is sound.
func TestProcessesShareAFile(t *testing.T) {
	for name, damaged := range map[string]bool{"no file": false, "a damaged file": true} {
		t.Run(name, func(t *testing.T) {
			path := cachePath(t)
			if damaged {
				path = written(t)
				if err := os.Truncate(path, 40_000); err != nil {
					t.Fatal(err)
				}
			}
			notices := together(t, "share", path, 4)
			files := []string{"vectors.db", "vectors.db.opening"}
			if damaged {
				files = []string{"vectors.db", "vectors.db.damaged-1", "vectors.db.opening"}
			}
			if n := strings.Count(notices, "was damaged"); n != len(files)-2 {
				t.Errorf("%d processes say that the file was damaged:\n%s", n, notices)
			}

			cache := open(t, path)
			s := space(t, cache, model(1, 48))
			right := map[[32]byte][]float32{}
			for _, e := range entries("text", 0, 40*batch, 48) {
				right[e.Hash] = e.Vector
			}
			got, _ := vectors(t, cache, s, vectorstore.Cursor{})
			have := map[[32]byte][]float32{}
			for _, e := range got {
				have[e.Hash] = e.Vector
			}
			if diff := cmp.Diff(right, have); diff != "" || len(got) != len(right) {
				t.Errorf("%d vectors (-want +got):\n%s", len(got), diff)
			}
			if err := cache.Close(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(files, names(t, path)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

// together runs n helpers at the same time and returns what they print.
func together(t *testing.T, word, path string, n int) string {
	t.Helper()
	outputs := make([]bytes.Buffer, n)
	var commands []*exec.Cmd
	for i := range n {
		command := helper(t, word, fmt.Sprint(path, "|", i))
		command.Stdout = &outputs[i]
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		commands = append(commands, command)
	}
	all := ""
	for i, command := range commands {
		if err := command.Wait(); err != nil {
			t.Errorf("process %d: %v", i, err)
		}
		all += outputs[i].String()
	}
	return all
}

// countUp adds 1 to a number in a file, 25 times, each time under the lock.
func countUp(path string) error {
	path, _, _ = strings.Cut(path, "|")
	ctx := context.Background()
	cache, err := vectorstore.OpenCache(ctx, path, vectorstore.CacheOptions{})
	if err != nil {
		return err
	}
	defer cache.Close()
	for range 25 {
		unlock, err := cache.Lock(ctx)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path + ".count")
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(string(text))
		if err != nil {
			return err
		}
		runtime.Gosched()
		if err := os.WriteFile(path+".count", []byte(strconv.Itoa(n+1)), 0o600); err != nil {
			return err
		}
		unlock()
	}
	return nil
}

func TestOnlyOneProcessHoldsTheLock(t *testing.T) {
	path := written(t)
	if err := os.WriteFile(path+".count", []byte("0"), 0o600); err != nil {
		t.Fatal(err)
	}
	together(t, "count", path, 3)
	if text, err := os.ReadFile(path + ".count"); err != nil || string(text) != "75" {
		t.Errorf("counted to %s, want 75; error %v", text, err)
	}
}

func holdLock(path string) error {
	cache, err := vectorstore.OpenCache(context.Background(), path, vectorstore.CacheOptions{})
	if err != nil {
		return err
	}
	if _, err := cache.Lock(context.Background()); err != nil {
		return err
	}
	fmt.Println("locked")
	select {}
}

func TestTheLockOfAKilledProcessIsFree(t *testing.T) {
	path := written(t)
	command := helper(t, "hold", path)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cache := open(t, path) // opening and storing need no lock
	store(t, cache, space(t, cache, model(1, 32)), entries("text", 40, 50, 32))
	if _, ok, err := cache.TryLock(); ok || err != nil {
		t.Errorf("locked while another process holds it: %v, %v", ok, err)
	}
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := cache.Lock(short); err == nil {
		t.Error("locked while another process holds it")
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	command.Wait()
	unlock, err := cache.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := open(t, path).TryLock(); ok || err != nil {
		t.Errorf("locked twice in one process: %v, %v", ok, err)
	}
	unlock()
	unlock, ok, err := cache.TryLock()
	if !ok || err != nil {
		t.Errorf("not locked after it was unlocked: %v, %v", ok, err)
	}
	unlock()
}

// Writers go on while the file is cleared under them, and what they store
// after the last time is in the file.
func TestWritersOutliveTheFile(t *testing.T) {
	path := written(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 10 {
			if err := vectorstore.ClearFile(context.Background(), path); err != nil {
				t.Error(err)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	cache := open(t, path)
	s := space(t, cache, model(1, 8))
	for i := range 60 {
		store(t, cache, s, entries("text", i, i+1, 8))
	}
	<-done
	want := entries("last", 0, 5, 8)
	store(t, cache, s, want)
	fresh, _ := vectors(t, open(t, path), s, vectorstore.Cursor{})
	if len(fresh) < 5 {
		t.Fatalf("%d vectors in the file", len(fresh))
	}
	if diff := cmp.Diff(want, fresh[len(fresh)-5:]); diff != "" {
		t.Errorf("the last vectors (-want +got):\n%s", diff)
	}
}

// readWhatIsThere runs as a user who can write neither file nor folder.
func readWhatIsThere(path string) error {
	ctx := context.Background()
	cache, err := vectorstore.OpenCache(ctx, path, vectorstore.CacheOptions{})
	if err != nil {
		return err
	}
	defer cache.Close()
	n := 0
	s, found, err := cache.FindSpace(ctx, model(1, 32))
	if err != nil {
		return err
	}
	if found {
		if _, err := cache.Vectors(ctx, s, vectorstore.Cursor{}, func([32]byte, []float32) error { n++; return nil }); err != nil {
			return err
		}
	}
	_, _, lock := cache.TryLock()
	s.SpaceInfo = model(1, 32)
	put := cache.Put(ctx, s, entries("new", 0, 3, 32))
	missing, err := cache.Missing(ctx, s, [][32]byte{hashOf("new 1"), hashOf("new 7")})
	if err != nil {
		return err
	}
	fmt.Printf("vectors %d\nput %v\nlock %v\nmissing %d\nnotices %q\n", n, put, lock, len(missing), cache.Notices())
	return nil
}
