//go:build !wasip1

package display

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"time"
)

// patience is how long Send waits for the kernel, which answers from its own
// memory within a millisecond. It is only reached when nobody reads the pipe.
const patience = 30 * time.Second

// pipe is the program's side of the kernel's two pipes, which the first message
// opens. An error is final: the kernel reads one gob stream a cell, and that
// can't be begun again.
type pipe struct {
	path, back string
	w, r       *os.File
	enc        *gob.Encoder
	acks       chan int // the kernel's acknowledgements; nil if gonbui reads its answers
	lost       error    // why acks was closed
	count      int
	err        error
}

// Send returns when the kernel has published the message. Without the wait a
// program that ends now would take with it what is still in the pipe: the
// kernel closes its end when the process exits.
func (c *pipe) Send(d Data) error {
	if c.err != nil {
		return c.err
	}
	// Opening a named pipe blocks until the other end is open, and reading has
	// no deadline on every system, so the clock runs outside.
	done := make(chan error, 1)
	go func() { done <- c.send(d) }()
	select {
	case err := <-done:
		if err != nil {
			c.err = fmt.Errorf("display: %w", err)
			c.close()
		}
	case <-time.After(patience):
		c.err = fmt.Errorf("display: no answer from the kernel on %s after %v: interrupt and restart the kernel", c.path, patience)
	}
	return c.err
}

func (c *pipe) dial() (err error) {
	if c.w, err = os.OpenFile(c.path, os.O_WRONLY, 0); err != nil {
		return fmt.Errorf("%s: %w", PipeEnv, err)
	}
	c.enc = gob.NewEncoder(c.w)
	if Register() != nil {
		return nil
	}
	if c.r, err = os.Open(c.back); err != nil {
		return fmt.Errorf("%s: %w", BackEnv, err)
	}
	c.acks = make(chan int, 16)
	go c.read(gob.NewDecoder(c.r))
	return nil
}

// read takes what the kernel sends, as long as the program runs.
func (c *pipe) read(dec *gob.Decoder) {
	for {
		var v CommValue
		if err := dec.Decode(&v); err != nil {
			c.lost = err
			close(c.acks)
			return
		}
		if n, ok := v.Value.(int); ok && v.Address == SyncAckAddress {
			c.acks <- n
		}
	}
}

func (c *pipe) close() {
	if c == nil {
		return
	}
	for _, f := range []*os.File{c.w, c.r} {
		if f != nil {
			f.Close()
		}
	}
}

func (c *pipe) send(d Data) error {
	if c.w == nil {
		if err := c.dial(); err != nil {
			return err
		}
	}
	if err := c.enc.Encode(d); err != nil {
		return err
	}
	c.count++
	if c.acks == nil {
		return push(c.w, c.count)
	}
	ask := Data{Data: Bundle{KeyComm: CommValue{Address: SyncAddress, Value: c.count}}}
	if err := c.enc.Encode(ask); err != nil {
		return err
	}
	for n := range c.acks {
		if n == c.count {
			return nil
		}
	}
	return fmt.Errorf("waiting for the kernel's acknowledgement: %w", c.lost)
}

// padding is more than a pipe holds: 64 KiB on Linux with pages of 4 KiB, 1 MiB
// with pages of 64 KiB, less on macOS; plus what gob reads ahead, 4 KiB.
const padding = 1<<20 + 1<<16

// push makes sure by other means than an acknowledgement that the kernel has
// taken all messages so far. If gonbui is linked into the program, it reads
// the kernel's answers: one stream can't be shared. So the pipe is
// filled with something that the kernel skips, until what was before it can no
// longer be in the pipe. The kernel publishes one message before it decodes
// the next one, so by then it is published.
//
// What gob skips is the definition of a type that no value uses. The bytes are
// those of a gob wireType (encoding/gob, "Encoding Details"):
// {StructT: {CommonType: {Name: padding, Id: id}}}.
func push(w io.Writer, n int) error {
	id := 1<<24 + uint32(n)          // far beyond the numbers gob gives by itself
	body := number(nil, (id-1)<<1|1) // -id: the lowest bit is the sign
	body = append(body, 3, 1, 1)     // wireType field 3 StructT, its field 1 CommonType, its field 1 Name
	body = append(number(body, padding), bytes.Repeat([]byte{' '}, padding)...)
	body = append(body, 1)                      // next field, Id
	body = append(number(body, id<<1), 0, 0, 0) // the ends of the three structs
	_, err := w.Write(append(number(nil, uint32(len(body))), body...))
	return err
}

// number appends an integer in gob's form: the negated count of its bytes, and
// the bytes, high ones first.
func number(b []byte, x uint32) []byte { return binary.BigEndian.AppendUint32(append(b, 0x100-4), x) }
