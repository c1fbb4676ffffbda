package server

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/skillsearch/skillsearch"
)

// DefaultAddr is where a server listens unless told otherwise.
const DefaultAddr = "127.0.0.1:7440"

// lookupTime bounds the look-up of the host's name.
const lookupTime = 5 * time.Second

// ListenGuarded is Listen for Libraries, whose tokens let other machines in: the
// host may be any address of this machine, and 0.0.0.0 or [::] means all of them.
func ListenGuarded(addr string) (net.Listener, error) { return listen(addr, anyAddress) }

// Listen opens the address for Run: host:port, or :port, which means loopback;
// "" is DefaultAddr and port 0 any free one. Other machines never reach it: a
// host that is not loopback is refused with skillsearch.ErrTokenRequired, an
// address that can't be read with skillsearch.ErrInvalidArgument.
func Listen(addr string) (net.Listener, error) { return listen(addr, loopback) }

func listen(addr string, resolve func(host string) (netip.Addr, error)) (net.Listener, error) {
	if addr == "" {
		addr = DefaultAddr
	}
	host, port, err := splitAddr(addr)
	if err != nil {
		return nil, err
	}
	ip, err := resolve(host)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	// The address that was checked is listened on, not the name: a name may
	// resolve differently a moment later.
	listener, err := net.Listen("tcp", netip.AddrPortFrom(ip, port).String())
	if err != nil {
		return nil, fmt.Errorf("%w; if another program uses the port, perhaps another \"skillsearch serve\", end that one, or choose another address with --addr, such as 127.0.0.1:%d", err, neighbour(port))
	}
	return listener, nil
}

func splitAddr(addr string) (host string, port uint16, err error) {
	host, service, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, fmt.Errorf("%w: address is %q; write it as host:port or :port, such as %s", skillsearch.ErrInvalidArgument, addr, DefaultAddr)
	}
	n, err := strconv.ParseUint(service, 10, 16)
	if err != nil {
		return "", 0, fmt.Errorf("%w: the port of address %q is no number from 0 to 65535; write it as in %s", skillsearch.ErrInvalidArgument, addr, DefaultAddr)
	}
	return host, uint16(n), nil
}

// neighbour is a port to propose instead of one that is taken.
func neighbour(port uint16) uint16 {
	if port == 65535 {
		return port - 1
	}
	return port + 1
}

// anyAddress is the address that host means; "" is loopback.
func anyAddress(host string) (netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip, nil
	}
	return loopback(host)
}

// loopback is the loopback address that host means.
func loopback(host string) (netip.Addr, error) {
	if host == "" || strings.EqualFold(host, "localhost") {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), nil
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		if !isLoopback(ip) {
			return netip.Addr{}, exposed("that is not an address of this machine alone")
		}
		return ip, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookupTime)
	defer cancel()
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil || len(ips) == 0 {
		return netip.Addr{}, exposed("the name leads to no address")
	}
	for _, ip := range ips {
		if !isLoopback(ip) {
			return netip.Addr{}, exposed("the name leads to " + ip.String() + ", which is not an address of this machine alone")
		}
	}
	return ips[0].Unmap(), nil
}

func isLoopback(ip netip.Addr) bool { return ip.Zone() == "" && ip.Unmap().IsLoopback() }

func exposed(why string) error {
	return fmt.Errorf("%w: %s, and whoever reaches the server reads every skill; give each library a token_file under server.libraries, or listen on a loopback address (:7440) and let other machines in through ssh -L", skillsearch.ErrTokenRequired, why)
}
