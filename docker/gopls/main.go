// Command gopls takes the place of gopls in the image and starts it, as gopls-server
// from its own folder, when something is asked of it for the first time.
//
// GoNB starts gopls with each kernel and greets it twelve seconds later. From then on
// gopls type-checks the whole repository and keeps 500 MB, whether or not anybody will
// press Tab: in a class of thirty the processors are busy with that for minutes. This
// program answers the greeting and holds it back until there is a question. It also
// has gopls load the cell and what it imports, not all of the repository, and collect
// its garbage earlier.
//
// It speaks of the Language Server Protocol (Microsoft, version 3.17, sections "Base
// Protocol" and "Initialize Request") what it has to: the frame of messages, and the
// first two. With arguments other than GoNB's it is gopls.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gopls:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	server := filepath.Join(filepath.Dir(self), "gopls-server")
	path, ok := socket(args)
	if !ok {
		return syscall.Exec(server, append([]string{server}, args...), os.Environ())
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	// GoNB connects once; what comes after the end of that would find nobody.
	conn, err := l.Accept()
	if err != nil {
		return err
	}
	defer conn.Close()
	return serve(conn, server)
}

// socket is the path in GoNB's arguments, "-listen unix;PATH".
func socket(args []string) (path string, ok bool) {
	if len(args) != 2 || args[0] != "-listen" {
		return "", false
	}
	return strings.CutPrefix(args[1], "unix;")
}

// serve answers the greeting, waits for the first question, and then stands between
// the kernel and gopls until one of them ends.
func serve(kernel io.ReadWriter, server string) error {
	from := bufio.NewReader(kernel)
	initialize, err := read(from)
	if err != nil {
		return quiet(err)
	}
	var request struct {
		ID     json.RawMessage            `json:"id"`
		Method string                     `json:"method"`
		Params map[string]json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(initialize, &request); err != nil || request.Method != "initialize" || request.ID == nil {
		return fmt.Errorf("the first message is not the request initialize: %.200s", initialize)
	}
	if err := write(kernel, []byte(`{"jsonrpc":"2.0","id":`+string(request.ID)+`,"result":{"capabilities":{}}}`)); err != nil {
		return err
	}
	initialized, err := read(from)
	if err != nil {
		return quiet(err)
	}
	question, err := read(from)
	if err != nil {
		return quiet(err)
	}

	gopls := exec.Command(server)
	gopls.Env = append(os.Environ(), "GOGC=30")
	in, err := gopls.StdinPipe()
	if err != nil {
		return err
	}
	out, err := gopls.StdoutPipe()
	if err != nil {
		return err
	}
	if err := gopls.Start(); err != nil {
		return err
	}
	request.Params["initializationOptions"] = json.RawMessage(`{"expandWorkspaceToModule":false}`)
	greeting, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": request.ID, "method": request.Method, "params": request.Params})
	if err != nil {
		return err
	}
	if err := write(in, greeting); err != nil {
		return err
	}
	answers := bufio.NewReader(out)
	for answered := false; !answered; {
		message, err := read(answers)
		if err != nil {
			return fmt.Errorf("gopls-server has not answered the request initialize: %w", err)
		}
		var m struct {
			Method string          `json:"method"`
			ID     json.RawMessage `json:"id"`
		}
		if err := json.Unmarshal(message, &m); err != nil {
			return err
		}
		if answered = m.Method == "" && string(m.ID) == string(request.ID); !answered {
			if err := write(kernel, message); err != nil {
				return err
			}
		}
	}
	for _, message := range [][]byte{initialized, question} {
		if err := write(in, message); err != nil {
			return err
		}
	}
	go func() {
		_, _ = io.Copy(in, from)
		in.Close() // gopls ends with its input
	}()
	if _, err := io.Copy(kernel, answers); err != nil {
		return err
	}
	return gopls.Wait()
}

// quiet is err, unless nobody has asked anything.
func quiet(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// most is the length of the longest message that is taken, in bytes.
const most = 64 << 20

// read reads a message: header lines, an empty line, and as many bytes as
// Content-Length says.
func read(r *bufio.Reader) ([]byte, error) {
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || n < 0 || n > most {
		return nil, fmt.Errorf("Content-Length is %q, want a number up to %d", header.Get("Content-Length"), most)
	}
	message := make([]byte, n)
	_, err = io.ReadFull(r, message)
	return message, err
}

func write(w io.Writer, message []byte) error {
	_, err := fmt.Fprintf(w, "Content-Length: %d\r\n\r\n%s", len(message), message)
	return err
}
