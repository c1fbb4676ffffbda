package server_test

import (
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/skillsearch/skillsearch"
	"github.com/skillsearch/skillsearch/server"
)

// TestOnlyThisMachineIsListenedTo holds HT05.
func TestOnlyThisMachineIsListenedTo(t *testing.T) {
	for _, addr := range []string{":0", "127.0.0.1:0", "localhost:0", "LOCALHOST:0", "127.0.0.2:0"} {
		listener, err := server.Listen(addr)
		if err != nil {
			if addr == "127.0.0.2:0" && !errors.Is(err, skillsearch.ErrTokenRequired) {
				continue // not every system has it
			}
			t.Errorf("%s: %v", addr, err)
			continue
		}
		if ip := listener.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
			t.Errorf("%s: listens on %v", addr, ip)
		}
		listener.Close()
	}
}

// TestDefaultAddr holds where a server listens when it is not told.
func TestDefaultAddr(t *testing.T) {
	listener, err := server.Listen("")
	if err != nil { // another server runs: then the address is in the error
		if !strings.Contains(err.Error(), "127.0.0.1:7440") {
			t.Error(err)
		}
		return
	}
	defer listener.Close()
	if got := listener.Addr().String(); got != "127.0.0.1:7440" {
		t.Errorf("the server listens on %s", got)
	}
}

func TestOtherAddressesNeedAToken(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", "[::]:0", "192.168.1.7:0", "[fe80::1%lo]:0", "8.8.8.8:80", "no-such-name.invalid:0", "127.0.0.1.invalid:0"} {
		listener, err := server.Listen(addr)
		if err == nil {
			listener.Close()
		}
		if !errors.Is(err, skillsearch.ErrTokenRequired) || skillsearch.ErrorKind(err) != "token_required" || !strings.Contains(err.Error(), "; ") {
			t.Errorf("%s: %v, want token_required and a remedy", addr, err)
		}
	}
}

func TestAddressesThatCantBeRead(t *testing.T) {
	for _, addr := range []string{"7440", "127.0.0.1", "127.0.0.1:", ":http", ":-1", ":65536", "::1:7440", "http://127.0.0.1:7440"} {
		listener, err := server.Listen(addr)
		if err == nil {
			listener.Close()
		}
		if !errors.Is(err, skillsearch.ErrInvalidArgument) || !strings.Contains(err.Error(), "; ") {
			t.Errorf("%s: %v, want invalid_argument and a remedy", addr, err)
		}
	}
}

func TestAPortInUseIsSaidSo(t *testing.T) {
	first, err := server.Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := server.Listen(first.Addr().String())
	if err == nil {
		second.Close()
		t.Fatal("two servers listen on one port")
	}
	for _, want := range []string{first.Addr().String(), "; ", "--addr", "another"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
}
