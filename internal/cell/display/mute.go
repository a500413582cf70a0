package display

// Mute drops what the program shows until the function that it returns is called.
func Mute() (unmute func()) {
	mu.Lock()
	defer mu.Unlock()
	before := host
	host = nowhere{}
	return func() { Use(before) }
}

type nowhere struct{}

func (nowhere) Send(Data) error { return nil }
