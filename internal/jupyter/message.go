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
)

// The channels' numbers in the connection file. They are parts of the names of
// sockets in the keeper's directory (transport ipc), so they need not be free
// and no other user can connect to them.
const (
	shellPort = 1 + iota
	iopubPort
	stdinPort
	controlPort
	heartbeatPort
)

// A connection is the content of a connection file.
type connection struct {
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

// A header identifies a message. The zero header is written as {}.
type header struct {
	ID       string `json:"msg_id,omitempty"`
	Session  string `json:"session,omitempty"`
	Username string `json:"username,omitempty"`
	Date     string `json:"date,omitempty"`
	Type     string `json:"msg_type,omitempty"`
	Version  string `json:"version,omitempty"`
}

// newID returns a random id in hexadecimal digits: GoNB finds no other id of a kernel.
func newID() string { return fmt.Sprintf("%x", rand.Text()) }

// A message is one that was received.
type message struct {
	Header  header
	Parent  header
	Content json.RawMessage
}

const delimiter = "<IDS|MSG>"

// formatMessage returns the frames of a message: delimiter, signature, header,
// parent header, metadata, content. A message without a parent has the zero one.
func formatMessage(h, parent header, content any, key string) ([][]byte, error) {
	frames := [][]byte{[]byte(delimiter), nil}
	for _, part := range []any{h, parent, struct{}{}, content} {
		b, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		frames = append(frames, b)
	}
	frames[1] = sign(frames[2:], key)
	return frames, nil
}

// sign returns the signature of the four dictionaries of a message, in hex.
func sign(parts [][]byte, key string) []byte {
	mac := hmac.New(sha256.New, []byte(key))
	for _, p := range parts {
		mac.Write(p)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// parseMessage checks the signature of a message and reads it. What stands
// before the delimiter is the routing of ZeroMQ.
func parseMessage(frames [][]byte, key string) (message, error) {
	var m message
	for len(frames) > 0 && string(frames[0]) != delimiter {
		frames = frames[1:]
	}
	if len(frames) < 6 {
		return m, errors.New("jupyter: a message is too short")
	}
	if !hmac.Equal(frames[1], sign(frames[2:6], key)) {
		return m, errors.New("jupyter: a message has a wrong signature")
	}
	if err := json.Unmarshal(frames[2], &m.Header); err != nil {
		return m, fmt.Errorf("jupyter: the header of a message: %w", err)
	}
	if err := json.Unmarshal(frames[3], &m.Parent); err != nil {
		return m, fmt.Errorf("jupyter: the parent header of a message: %w", err)
	}
	m.Content = frames[5]
	return m, nil
}

// decode reads the content of a message, keeping numbers as they were sent.
func (m message) decode(v any) error {
	dec := json.NewDecoder(bytes.NewReader(m.Content))
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("jupyter: the content of a message %s: %w", m.Header.Type, err)
	}
	return nil
}
