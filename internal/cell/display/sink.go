package display

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// A Sink takes what a program shows out of it. There is one for each
// surrounding: the pipes of GoNB's kernel, a folder ([Files]), a function of a
// host ([Func]).
type Sink interface {
	// Send hands over one message, and returns when it can no longer be lost.
	Send(Data) error
}

// A Func is the sink of a host that is neither kernel nor test: a page with
// Go's WebAssembly in it, or a grader with a guest. The function gets each
// message as JSON, as Jupyter stores it: [Data] with binary content in base64.
// Around it, in the host's own file of the program, is what leaves the program:
// a go:wasmimport, or a syscall/js.Func.
type Func func(message []byte) error

// Send calls the function.
func (f Func) Send(d Data) error {
	message, err := json.Marshal(d)
	if err == nil {
		err = f(message)
	}
	if err != nil {
		return fmt.Errorf("display: %w", err)
	}
	return nil
}

// Draw shows a figure, if the value is one that this program can draw. Package plotting sets it: so package
// show need not link it.
var Draw func(v any) (drawn bool, err error)

var (
	mu     sync.Mutex
	host   Sink  // set by Use
	kernel *pipe // open for the path that PipeEnv had
)

// Use sends what the program shows to s. Without it, or for nil, that goes to
// the kernel, if the environment names its pipes.
func Use(s Sink) {
	mu.Lock()
	defer mu.Unlock()
	host = s
}

// current returns the sink, nil if there is none. The caller has locked mu.
func current() Sink {
	path := os.Getenv(PipeEnv)
	if host != nil || path == "" {
		return host
	}
	if kernel == nil || kernel.path != path {
		kernel.close()
		kernel = &pipe{path: path, back: os.Getenv(BackEnv)}
	}
	return kernel
}

// Active reports whether anybody sees what the program shows.
func Active() bool {
	mu.Lock()
	defer mu.Unlock()
	return current() != nil
}

// StillsEnv is 0 in the environment of a program whose figures are shown as SVG: those of [FigureType] need
// no PNG beside it.
const StillsEnv = "MARGINALIA_STILLS"

// Stills reports whether figures need a PNG.
func Stills() bool { return os.Getenv(StillsEnv) != "0" }

// Send hands one message to the sink. Calls from several goroutines are served
// one after the other.
func Send(d Data) error {
	mu.Lock()
	defer mu.Unlock()
	if s := current(); s != nil {
		return s.Send(d)
	}
	return errors.New("display: " + PipeEnv + " is not set: the program does not run in a GoNB notebook")
}

// The environment of a program whose figures are collected.
const (
	FiguresEnv = "MARGINALIA_FIGURES"        // the folder for them
	FormatsEnv = "MARGINALIA_FIGURE_FORMATS" // some of png, svg, pdf, parted by commas; png if it is not set
	WidthEnv   = "MARGINALIA_FIGURE_WIDTH"   // in inches; each figure's own if it is not set
	HeightEnv  = "MARGINALIA_FIGURE_HEIGHT"  // in inches; a higher figure is made narrower, until it fits
)

// Types are the MIME types of the formats.
var Types = map[string]string{"png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf"}

// Files is a sink that keeps the figures among what is shown, each of their
// formats as a file such as Folder/margins.png.
type Files struct {
	Folder  string
	Formats []string // of Types
	Width   float64  // in inches that figures are to have; 0: each its own
	Height  float64  // in inches that figures may have; 0: any
}

// Collected returns the sink that the environment asks for beside the display,
// nil if it asks for none.
func Collected() (*Files, error) {
	f := &Files{Folder: os.Getenv(FiguresEnv), Formats: []string{"png"}}
	if f.Folder == "" {
		return nil, nil
	}
	if formats := os.Getenv(FormatsEnv); formats != "" {
		f.Formats = strings.Split(formats, ",")
	}
	for _, format := range f.Formats {
		if Types[format] == "" {
			return nil, fmt.Errorf("%s has %q, want some of png, svg, pdf", FormatsEnv, format)
		}
	}
	for env, inches := range map[string]*float64{WidthEnv: &f.Width, HeightEnv: &f.Height} {
		if text := os.Getenv(env); text != "" {
			var err error
			if *inches, err = strconv.ParseFloat(text, 64); err != nil || !(*inches >= 1 && *inches <= 40) {
				return nil, fmt.Errorf("%s=%s, want inches, from 1 to 40", env, text)
			}
		}
	}
	return f, nil
}

// Send writes the files of a figure, whose name is in the metadata.
func (f *Files) Send(d Data) error {
	for _, format := range f.Formats {
		file, _ := d.Data[Types[format]].([]byte)
		if err := os.WriteFile(filepath.Join(f.Folder, fmt.Sprint(d.Metadata["figure"], ".", format)), file, 0o644); err != nil {
			return fmt.Errorf("%s: %w", FiguresEnv, err)
		}
	}
	return nil
}
