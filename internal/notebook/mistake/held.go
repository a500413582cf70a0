package mistake

import "strings"

// Held keeps back what a cell writes to stderr from the first line that may begin the stack
// of a panic. When the cell has ended, an explanation replaces the stack, or the text is sent.
type Held struct {
	line   string // the line that has begun and was passed on
	text   string // from the first word of the runtime on
	passed int    // how many bytes of text clients already have
	off    bool   // it was no stack: nothing is kept back any more
}

// mostHeld is how many bytes are kept back while no stack follows: the message of a panic is
// shorter.
const mostHeld = 4 << 10

// Take takes text that the cell wrote, and returns the text to send now.
func (h *Held) Take(text string) string {
	if h.off {
		return text
	}
	if h.text == "" {
		all := h.line + text
		at := Crash(all)
		if at == len(all) {
			h.line = all[strings.LastIndexByte(all, '\n')+1:]
			return text
		}
		h.text, h.passed = all[at:], max(0, len(h.line)-at)
		return all[min(len(h.line), at):][:max(0, at-len(h.line))]
	}
	h.text += text
	if len(h.text) > mostHeld && !strings.Contains(h.text, "\ngoroutine ") {
		h.off = true
		return h.Release()
	}
	return ""
}

// Text returns the text that is kept back.
func (h *Held) Text() string { return h.text }

// Release returns the text that was kept back, without what clients already have, and keeps none of it.
func (h *Held) Release() string {
	text := h.text[h.passed:]
	h.text, h.passed = "", 0
	return text
}
