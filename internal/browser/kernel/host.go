package kernel

import "marginalia/internal/browser/manifest"

// A Host is where a kernel runs: a worker of a page, or a test.
type Host interface {
	// Load makes files of the manifest ready, uncompressed, and returns the folder that has them under
	// their names. The linker loads what it reads itself.
	Load(files []manifest.File) (dir string, err error)
	// Work is the folder in which programs are built.
	Work() string
	// Tool runs the compiler or the linker to its end. It returns what the tool printed and its exit
	// status.
	Tool(name string, args ...string) (said string, status int, err error)
	// Begin tells the arguments that the linker will have when the compiler has ended, so that it may
	// read meanwhile what the list of packages names.
	Begin(args ...string)
	// Start starts a program.
	Start(p Process) (Running, error)
}

// A Process says how to run the program of a cell.
type Process struct {
	File      string // the linked program
	Args, Env []string
	Dir       string
	// Wrote gets what the program writes, in the order in which it does, one call at a time.
	Wrote func(to Stream, data []byte)
}

// A Stream is where a program writes, or reads.
type Stream int

// The streams of a program.
const (
	Stdin   Stream = iota // Wrote is called with it, without data, when the program waits for what somebody types
	Stdout                // its descriptor is 1
	Stderr                // its descriptor is 2
	Display               // the file that display.PipeEnv names
)

// A Running program.
type Running interface {
	// Answer gives the program bytes to read from the file that display.BackEnv names.
	Answer(data []byte)
	// Type gives the program bytes to read from its standard input. Without bytes the input ends.
	Type(data []byte)
	// Wait returns how the program ended, "" if well, otherwise as "exit status 2". All calls of Wrote
	// are over then.
	Wait() (ended string)
}
