//go:build unix

package jupyter

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// A Channel is one of the five channels between a client and a kernel. The keeper's connection
// files use its number as the port. With transport ipc that is a part of a socket's name in
// the keeper's directory, so it need not be free, and no other user can connect to it.
type Channel int

// The channels.
const (
	Shell Channel = 1 + iota
	IOPub
	Stdin
	Control
	Heartbeat
)

// A Connection is the content of a connection file.
type Connection struct {
	Transport       string `json:"transport"`
	IP              string `json:"ip"`
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HBPort          int    `json:"hb_port"`
	SignatureScheme string `json:"signature_scheme"`
	Key             string `json:"key"`
}

// ReadConnection reads a connection file.
func ReadConnection(file string) (c Connection, err error) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	switch {
	case err != nil:
		return c, fmt.Errorf("jupyter: the connection file: %w", err)
	case c.Transport != "tcp" && c.Transport != "ipc":
		return c, fmt.Errorf("jupyter: connection file %s: transport %q, want tcp or ipc", file, c.Transport)
	case c.Key != "" && c.SignatureScheme != "" && c.SignatureScheme != "hmac-sha256":
		return c, fmt.Errorf("jupyter: connection file %s: signature_scheme %q, want hmac-sha256", file, c.SignatureScheme)
	}
	return c, nil
}

// Endpoint is the address of a channel, as ZeroMQ writes it.
func (c Connection) Endpoint(ch Channel) string {
	port := map[Channel]int{Shell: c.ShellPort, IOPub: c.IOPubPort, Stdin: c.StdinPort, Control: c.ControlPort, Heartbeat: c.HBPort}[ch]
	if c.Transport == "ipc" {
		return fmt.Sprintf("ipc://%s-%d", c.IP, port)
	}
	return fmt.Sprintf("tcp://%s:%d", c.IP, port)
}

// A Header identifies a message. JupyterLab drops a message whose header lacks a field, and its
// own username is "".
type Header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
}

// newID returns a random id in hexadecimal digits: GoNB finds no other id of a kernel.
func newID() string { return fmt.Sprintf("%x", rand.Text()) }

// A Message is a Jupyter message, received or to send.
type Message struct {
	Channel Channel
	IDs     [][]byte // the routing of ZeroMQ
	Header  Header
	Parent  Header
	Content json.RawMessage

	frames [][]byte // delimiter, signature, header, parent header, metadata, content, buffers
	signed string   // the key of the signature
}

const delimiter = "<IDS|MSG>"

// Reply returns a message from a kernel that answers m, or is published because of m, on
// channel ch. It is routed to the client that sent m.
func (m Message) Reply(ch Channel, kind string, content any) (Message, error) {
	h := Header{ID: newID(), Session: m.Header.Session, Username: m.Header.Username, Date: now(), Type: kind, Version: version}
	reply, err := newMessage(h, m.Header, content)
	reply.Channel, reply.IDs = ch, m.IDs
	return reply, err
}

// CellID returns the id of the notebook's cell that an execute_request runs. JupyterLab names
// it; for clients that don't, CellID returns "".
func (m Message) CellID() string {
	var c struct {
		ID string `json:"cellId"`
	}
	if len(m.frames) < 5 || json.Unmarshal(m.frames[4], &c) != nil {
		return ""
	}
	return c.ID
}

// WithContent returns m with another content.
func (m Message) WithContent(content any) (Message, error) {
	b, err := json.Marshal(content)
	if err != nil {
		return m, err
	}
	m.Content = b
	m.frames = append([][]byte(nil), m.frames...)
	m.frames[1], m.frames[5] = nil, b
	return m, nil
}

// version is that of the messaging protocol.
const version = "5.3"

func now() string { return time.Now().UTC().Format(time.RFC3339Nano) }

// newMessage returns an unsigned message. The zero parent means that it answers none.
func newMessage(h, parent Header, content any) (Message, error) {
	m := Message{Header: h, Parent: parent, frames: [][]byte{[]byte(delimiter), nil}}
	var of any = parent
	if parent == (Header{}) {
		of = struct{}{}
	}
	for _, part := range []any{h, of, struct{}{}, content} {
		b, err := json.Marshal(part)
		if err != nil {
			return m, err
		}
		m.frames = append(m.frames, b)
	}
	m.Content = m.frames[5]
	return m, nil
}

// Wire returns the frames of a message, routing first. A received message that was not
// changed keeps its signature.
func (m Message) Wire(key string) [][]byte {
	wire := append(append([][]byte(nil), m.IDs...), m.frames...)
	if m.frames[1] == nil || m.signed != key {
		wire[len(m.IDs)+1] = sign(m.frames[2:6], key)
	}
	return wire
}

// sign returns the signature of the four dictionaries of a message, in hex. Without a key
// messages are not signed.
func sign(parts [][]byte, key string) []byte {
	if key == "" {
		return []byte{}
	}
	mac := hmac.New(sha256.New, []byte(key))
	for _, p := range parts {
		mac.Write(p)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// Parse checks the signature of a message and reads its headers.
func Parse(ch Channel, frames [][]byte, key string) (Message, error) {
	m := Message{Channel: ch, frames: frames, signed: key}
	for len(m.frames) > 0 && string(m.frames[0]) != delimiter {
		m.IDs, m.frames = append(m.IDs, m.frames[0]), m.frames[1:]
	}
	if len(m.frames) < 6 {
		return m, errors.New("jupyter: a message is too short")
	}
	if !hmac.Equal(m.frames[1], sign(m.frames[2:6], key)) {
		return m, errors.New("jupyter: a message has a wrong signature")
	}
	if err := json.Unmarshal(m.frames[2], &m.Header); err != nil {
		return m, fmt.Errorf("jupyter: the header of a message: %w", err)
	}
	if err := json.Unmarshal(m.frames[3], &m.Parent); err != nil {
		return m, fmt.Errorf("jupyter: the parent header of a message: %w", err)
	}
	m.Content = m.frames[5]
	return m, nil
}

// LanguageInfo is the language_info of kernel_info_reply, which notebooks store. Its version
// is that of the language in go.mod, so that an update of Go changes no notebook.
func LanguageInfo() map[string]any {
	return map[string]any{
		"name": "go", "version": "1.26", "mimetype": "text/x-go", "file_extension": ".go",
		"pygments_lexer": "go", "codemirror_mode": "go", "nbconvert_exporter": "script",
	}
}

// Decode reads the content of a message, keeping numbers as they were sent.
func (m Message) Decode(v any) error {
	dec := json.NewDecoder(bytes.NewReader(m.Content))
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("jupyter: the content of a message %s: %w", m.Header.Type, err)
	}
	return nil
}
