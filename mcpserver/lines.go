package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine is the largest message that is read, in bytes.
const maxLine = 1 << 20

// drainTime is how long, after the end of the input, the next answer to a call
// in flight is waited for.
const drainTime = 5 * time.Second

// listen is the one call that is answered only at the session's end.
const listen = "subscriptions/listen"

// lines is the transport over a pair of streams: one message a line. Unlike the
// SDK's own it answers a line that is no message, and reads on.
type lines struct {
	in  io.Reader
	out io.Writer
}

// Connect starts reading. That goroutine ends with in.
func (l *lines) Connect(context.Context) (mcp.Connection, error) {
	c := &lineConn{out: l.out, read: make(chan incoming), closed: make(chan struct{}), pending: map[any]bool{}, answered: make(chan struct{}, 1)}
	go c.readAll(bufio.NewReaderSize(l.in, 64<<10))
	return c, nil
}

type incoming struct {
	message jsonrpc.Message
	err     error
}

type lineConn struct {
	read   chan incoming
	closed chan struct{}
	once   sync.Once

	mu      sync.Mutex // of out and what follows
	out     io.Writer
	pending map[any]bool // ids of calls that were read and not answered yet

	answered chan struct{} // holds one when an answer has been written
}

func (c *lineConn) SessionID() string { return "" }

func (c *lineConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case in := <-c.read:
		return in.message, in.err
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *lineConn) Write(_ context.Context, message jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if response, ok := message.(*jsonrpc.Response); ok && c.pending[response.ID.Raw()] {
		delete(c.pending, response.ID.Raw())
		select {
		case c.answered <- struct{}{}:
		default: // it says so already
		}
	}
	_, err = c.out.Write(append(line, '\n'))
	return err
}

// readAll passes messages on until the end, which it tells when the calls have
// been answered: a client may close its end and still read.
func (c *lineConn) readAll(in *bufio.Reader) {
	for {
		line, err := readLine(in)
		if err == nil || len(line) > 0 {
			c.pass(line)
		}
		switch {
		case errors.Is(err, errLineTooLong):
			c.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message has more than %d bytes; send a smaller one", maxLine))
		case err != nil:
			c.drain()
			c.send(incoming{err: err})
			return
		}
	}
}

var errLineTooLong = errors.New("line too long")

// readLine reads a line whole. Of one that is too long nothing is kept.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for long := false; ; {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && err == nil:
			return nil, errLineTooLong
		case long:
			return nil, err
		default:
			return line, err
		}
		if long {
			line = nil
		}
	}
}

// pass hands a line on, and answers one that is no message.
func (c *lineConn) pass(line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		code := int64(jsonrpc.CodeParseError)
		if json.Valid(line) {
			code = jsonrpc.CodeInvalidRequest
		}
		c.refuse(code, "this line is no message of JSON-RPC 2.0; send one JSON object a line")
		return
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() && request.Method != listen {
		c.mu.Lock()
		c.pending[request.ID.Raw()] = true
		c.mu.Unlock()
	}
	c.send(incoming{message: message})
}

func (c *lineConn) send(in incoming) {
	select {
	case c.read <- in:
	case <-c.closed:
	}
}

// refuse answers what has no id to answer to.
func (c *lineConn) refuse(code int64, text string) {
	type message struct {
		Version string        `json:"jsonrpc"`
		ID      any           `json:"id"`
		Error   jsonrpc.Error `json:"error"`
	}
	answer, _ := json.Marshal(message{"2.0", nil, jsonrpc.Error{Code: code, Message: text}}) // texts and a number
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = c.out.Write(append(answer, '\n')) // an output that is gone ends the session with the next message
}

// drain waits for the answers to what has been read.
func (c *lineConn) drain() {
	for c.unanswered() > 0 {
		limit := time.NewTimer(drainTime)
		select {
		case <-c.answered:
			limit.Stop()
		case <-c.closed:
			limit.Stop()
			return
		case <-limit.C:
			return
		}
	}
}

func (c *lineConn) unanswered() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.pending)
}
