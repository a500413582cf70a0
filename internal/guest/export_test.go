package guest

// Discard closes an instance such that its memory is not used again.
func Discard(in *Instance) {
	in.ended = ErrClosed
	in.Close()
}

// Idle reports whether memory waits for the next instance of a mode.
func (m *Module) Idle(mode Mode) bool { return m.engines[mode].idle != nil }
