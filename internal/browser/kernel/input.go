package kernel

import (
	"sync"

	"marginalia/internal/cell/display"
)

// noInput is what GoNB's kernel says when a cell reads and nobody can type (package celltest).
const noInput = "This cell reads what somebody types, and here nobody can: its standard input ends.\n"

// noWidgets is said when a program waits for what a widget of gonbui sends.
const noWidgets = "This cell waits for a widget of gonbui. They work in JupyterLab, with GoNB's own JavaScript: go run . lab\n"

// A keyboard is where the lines come from that the program of a cell reads.
type keyboard struct {
	mu      sync.Mutex
	ask     func(prompt string, password bool) // nil: nobody can type
	running Running                            // nil: no program has begun
	asked   bool                               // somebody was asked for a line that has not come
	ended   bool                               // the program was told that no line comes any more
	widgets bool                               // it was told that there are no widgets
}

// begin forgets the cell before.
func (b *keyboard) begin(ask func(prompt string, password bool)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ask, b.running, b.asked, b.ended, b.widgets = ask, nil, false, false, false
}

// start takes the program of the cell.
func (b *keyboard) start(running Running) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running = running
	if b.ended {
		running.Type(nil)
	}
}

// wants notes that the program waits for a line, and returns what asks for it; nil if that was done
// before. refused reports whether nobody can be asked.
func (b *keyboard) wants() (ask func(prompt string, password bool), refused bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ask == nil && !b.ended {
		b.end()
		return nil, true
	}
	if b.asked || b.ended {
		return nil, false
	}
	b.asked = true
	return b.ask, false
}

func (b *keyboard) end() {
	b.ended = true
	if b.running != nil {
		b.running.Type(nil)
	}
}

// asks has somebody type a line. A program that calls gonbui.RequestInput asks with a prompt and reads
// then: the second call of the two changes nothing.
func (r *run) asks(request display.InputRequest) {
	ask, refused := r.keys.wants()
	if refused {
		r.print("stderr", noInput)
	}
	if ask != nil {
		ask(request.Prompt, request.Password)
	}
}

// noWidgets says once that no widget will answer.
func (r *run) noWidgets() {
	r.keys.mu.Lock()
	said := r.keys.widgets
	r.keys.widgets = true
	r.keys.mu.Unlock()
	if !said {
		r.print("stderr", noWidgets)
	}
}

// Type answers the question of a cell for a line, or ends its input. Without a question it does nothing.
func (k *Kernel) Type(line string, end bool) {
	b := &k.keys
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case !b.asked || b.running == nil:
		return
	case end:
		b.end()
	default:
		b.running.Type([]byte(line + "\n"))
	}
	b.asked = false
}
