package guest

// Discard closes an instance such that its memory is not used again.
func Discard(in *Instance) {
	in.finish(ErrClosed)
	in.Close()
}

// Idle reports whether memory waits for the next instance of a mode.
func (m *Module) Idle(mode Mode) bool { return m.engines[mode].idle != nil }

// Forget has the next instance of a mode initialise itself, as the first one did.
func (m *Module) Forget(mode Mode) { m.engines[mode].first, m.engines[mode].idle = nil, nil }

// Mark adds to what instances of a mode have printed when they start.
func (m *Module) Mark(mode Mode, text string) { m.engines[mode].first.output += text }
