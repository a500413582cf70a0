package guest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/tetratelabs/wazero/api"
)

// A Recorder keeps what a guest prints and shows, in order, up to its limits. A guest that exceeds
// them is ended with [ErrFull]. Pieces may be called while the guest runs.
type Recorder struct {
	Text     int // bytes, of both streams together
	Displays int // that no later one has replaced
	Shown    int // bytes of those displays

	mu     sync.Mutex
	pieces []Piece
	text   int
}

// A Piece is what a guest has printed on one of its streams, or a display.
type Piece struct {
	Kind string // "stdout", "stderr" or "display"
	Data []byte // text, or a display.Data as JSON
	ID   string `json:",omitempty"` // of a display: a later one with the same id replaces it
}

// maxPieces bounds how often a guest may change between its streams.
const maxPieces = 1000

// maxID bounds a display's id, in bytes. Those of package plotting and of GoNB have fewer than fifty.
const maxID = 200

// ErrFull says that a guest has printed or shown more than its recorder takes.
var ErrFull = errors.New("it prints or shows too much")

// Reset forgets what was recorded.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pieces, r.text = nil, 0
}

// Pieces returns what was recorded so far.
func (r *Recorder) Pieces() []Piece {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := slices.Clone(r.pieces)
	for i := range all {
		all[i].Data = bytes.Clone(all[i].Data)
	}
	return all
}

func (r *Recorder) print(stream string, b []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := max(0, r.Text-r.text)
	if n := len(r.pieces); n == 0 || r.pieces[n-1].Kind != stream {
		if n >= maxPieces {
			return ErrFull
		}
		r.pieces = append(r.pieces, Piece{Kind: stream})
	}
	last := &r.pieces[len(r.pieces)-1]
	last.Data = append(last.Data, b[:min(left, len(b))]...)
	r.text += min(left, len(b))
	if len(b) > left {
		return ErrFull
	}
	return nil
}

func (r *Recorder) show(id string, message []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	displays, size, at := 1, len(message), -1
	for i, p := range r.pieces {
		switch {
		case p.Kind != "display":
		case id != "" && p.ID == id:
			at = i
		default:
			displays, size = displays+1, size+len(p.Data)
		}
	}
	if displays > r.Displays || size > r.Shown {
		return ErrFull
	}
	p := Piece{"display", message, id}
	if at >= 0 {
		r.pieces[at] = p
	} else {
		r.pieces = append(r.pieces, p)
	}
	return nil
}

// beside returns a writer to w and to the recorder, or w if there is no recorder.
func (r *Recorder) beside(stream string, w io.Writer) io.Writer {
	if r == nil {
		return w
	}
	return recorded{r, stream, w}
}

type recorded struct {
	*Recorder
	stream string
	w      io.Writer
}

// Write ends a guest whose recorder is full, by a panic: Go programs ignore the error of a print.
func (r recorded) Write(b []byte) (int, error) {
	if err := r.print(r.stream, b); err != nil {
		panic(err)
	}
	return r.w.Write(b)
}

// show takes a display of the guest.
func show(ctx context.Context, m api.Module, at, n, idAt, idN uint32) {
	r := ctx.Value(key{}).(*Instance).world.recorder
	if r == nil {
		return
	}
	if int(n) > r.Shown || idN > maxID {
		panic(ErrFull)
	}
	message, ok := m.Memory().Read(at, n)
	id, ok2 := m.Memory().Read(idAt, idN)
	if !ok || !ok2 {
		panic(errMemory)
	}
	if err := r.show(string(id), bytes.Clone(message)); err != nil {
		panic(err)
	}
}
