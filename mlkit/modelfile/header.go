package modelfile

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"marginalia/mlkit/internal/codec"
)

// Notes are what a user has to say about a model: its data set, its author, a date.
type Notes map[string]string

// Header says what a file holds.
type Header struct {
	Kind  string `json:"kind"`  // of the model, such as svm.Model
	Form  int    `json:"form"`  // the version of its form
	Bytes int64  `json:"bytes"` // the length of the model in JSON
	Notes Notes  `json:"notes,omitempty"`

	// SHA256 is the checksum of the header and the model, in hexadecimal digits. Equal
	// checksums mean equal models with equal notes.
	SHA256 string `json:"-"`
}

const (
	magic     = "marginalia model "
	format    = 1
	sumPrefix = "sha256 "

	// maxHeader limits the bytes of a header, since a damaged file may have no further
	// line.
	maxHeader = 1 << 20
)

// encodeHead returns the lines before the model, which is given in JSON.
func encodeHead(h Header, model []byte) ([]byte, error) {
	for key, note := range h.Notes {
		if !utf8.ValidString(key) || !utf8.ValidString(note) {
			return nil, fmt.Errorf("notes[%q] = %q, want valid UTF-8", key, note)
		}
	}
	h.Bytes = int64(len(model))
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false) // people read it
	if err := e.Encode(h); err != nil {
		return nil, err
	}
	if line.Len() > maxHeader {
		return nil, fmt.Errorf("the header has %d bytes, want at most %d; shorten the notes", line.Len(), maxHeader)
	}
	sum := sha256.New()
	sum.Write(line.Bytes())
	sum.Write(model)
	return fmt.Appendf(nil, "%s%d\n%s%x\n%s", magic, format, sumPrefix, sum.Sum(nil), line.Bytes()), nil
}

// decodeFile reads all of r and returns the header and the JSON of the model.
func decodeFile(r io.Reader) (h Header, model []byte, err error) {
	if r == nil {
		return h, nil, errors.New("r is nil, want a reader")
	}
	in := bufio.NewReader(r)
	if err := decodeFormat(in); err != nil {
		return h, nil, err
	}
	line, err := readLine(in, len(sumPrefix)+2*sha256.Size)
	if err != nil {
		return h, nil, inLine(2, err)
	}
	want, ok := strings.CutPrefix(string(line), sumPrefix)
	if !ok || len(want) != 2*sha256.Size {
		return h, nil, fmt.Errorf("damaged: line 2 is %.80q, want %q and %d hexadecimal digits", line, sumPrefix, 2*sha256.Size)
	}
	if line, err = readLine(in, maxHeader); err != nil {
		return h, nil, inLine(3, err)
	}
	sum := sha256.New()
	sum.Write(line)
	sum.Write([]byte("\n"))
	if err := codec.Strict(line, &h); err != nil {
		return h, nil, fmt.Errorf("damaged: line 3, the header: %w", err)
	}
	if h.Bytes < 0 {
		return h, nil, fmt.Errorf("damaged: line 3, the header: bytes = %d, want at least 0", h.Bytes)
	}
	// ReadAll grows with what it has read, so the claim in the header allocates nothing.
	if model, err = io.ReadAll(io.LimitReader(in, h.Bytes)); err != nil {
		return h, nil, err
	}
	if int64(len(model)) < h.Bytes {
		return h, nil, fmt.Errorf("truncated: %d of %d bytes of the model are there; get a whole copy", len(model), h.Bytes)
	}
	switch _, err := in.ReadByte(); {
	case err == nil:
		return h, nil, fmt.Errorf("more than the %d bytes of the model are there, want nothing after them", h.Bytes)
	case err != io.EOF:
		return h, nil, err
	}
	sum.Write(model)
	if h.SHA256 = hex.EncodeToString(sum.Sum(nil)); h.SHA256 != want {
		return h, nil, fmt.Errorf("damaged: the SHA-256 of header and model is %s, and line 2 has %s; get another copy", h.SHA256, want)
	}
	return h, model, nil
}

// decodeFormat reads the first line, and returns an error unless this package reads its format.
func decodeFormat(in *bufio.Reader) error {
	const version = magic + "1"
	line, err := readLine(in, len(magic)+10)
	number, ours := strings.CutPrefix(string(line), magic)
	if err == io.ErrUnexpectedEOF && strings.HasPrefix(version, string(line)) {
		if len(line) == 0 {
			return errors.New("it is empty, want a model")
		}
		return inLine(1, err)
	}
	if err != nil && err != io.ErrUnexpectedEOF && err != errLong {
		return err
	}
	switch {
	case bytes.HasPrefix(line, []byte("{")):
		return fmt.Errorf("it begins with %.20q, want %q; if it is a model in JSON, json.Unmarshal decodes it", line, version)
	case !ours || err != nil:
		return fmt.Errorf("it begins with %.20q, want %q; a file of package modelfile does", line, version)
	case strings.HasSuffix(number, "\r"):
		return errors.New(`damaged: its lines end with "\r\n", want "\n"; copy it without converting text`)
	case number != fmt.Sprint(format):
		return fmt.Errorf("its format is %q, want %d; if a newer version of the library wrote it, update this one", number, format)
	}
	return nil
}

// errLong says that a line has more bytes than it may have.
var errLong = errors.New("a line is too long")

// inLine describes an error of readLine.
func inLine(number int, err error) error {
	switch err {
	case io.ErrUnexpectedEOF:
		return fmt.Errorf("truncated: it ends in line %d, before the model; get a whole copy", number)
	case errLong:
		return fmt.Errorf("damaged: line %d does not end; get another copy", number)
	}
	return err
}

// readLine returns the next line without its newline. It returns io.ErrUnexpectedEOF at the end
// of the input, and errLong after more than limit bytes, both with the bytes before.
func readLine(in *bufio.Reader, limit int) (line []byte, err error) {
	for len(line) <= limit {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch err {
		case nil:
			line = line[:len(line)-1]
			if len(line) > limit {
				return line[:limit], errLong
			}
			return line, nil
		case bufio.ErrBufferFull:
		case io.EOF:
			return line, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
	return line, errLong
}
