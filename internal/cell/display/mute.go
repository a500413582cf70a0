package display

// Mute drops what the program shows until the function that it returns is called.
func Mute() (unmute func()) {
	mu.Lock()
	defer mu.Unlock()
	before := host
	host = nowhere{}
	return func() { Use(before) }
}

// Muted reports whether what the program shows is dropped, so that nobody needs to make it.
func Muted() bool {
	mu.Lock()
	defer mu.Unlock()
	_, muted := host.(nowhere)
	return muted
}

type nowhere struct{}

func (nowhere) Send(Data) error { return nil }
