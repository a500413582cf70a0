package kernel

import (
	"io"
	"os"
	"unicode/utf8"

	"marginalia/internal/cell/display"
	"marginalia/internal/cell/display/harness"
	"marginalia/internal/notebook/checks"
	"marginalia/internal/notebook/excerpt"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/nbformat"
)

// The files in a host by which a program shows what it draws.
const (
	Pipe = "/dev/gonb_pipe"
	Back = "/dev/gonb_pipe_back"
)

// start runs the program of the cell to its end.
func (r *run) start(program string) error {
	if err := display.Register(); err != nil {
		return err
	}
	dir, tmp := r.abs(r.p.Dir), "/tmp"
	from, pipe := io.Pipe()
	shows := &shower{run: r}
	if r.p.Test {
		shows.checks = &checks.Words{Place: r.place}
	}
	wrote := func(to Stream, data []byte) {
		switch to {
		case Stdin:
			r.asks(display.InputRequest{})
		case Display:
			pipe.Write(data)
		default:
			shows.wrote(to, string(data))
		}
	}
	env := append([]string{display.PipeEnv + "=" + Pipe, display.BackEnv + "=" + Back, "HOME=/home", "TMPDIR=" + tmp, "GONB_TMP_DIR=" + tmp,
		"GONB_DIR=" + dir, "PWD=" + dir, display.StillsEnv + "=" + os.Getenv(display.StillsEnv)}, r.p.Env...)
	running, err := r.host.Start(Process{File: program, Args: append([]string{"gonb_00000000"}, r.p.Args...), Env: env, Dir: dir, Wrote: wrote})
	if err != nil {
		return err
	}
	r.keys.start(running)
	served := make(chan error, 1)
	go func() {
		err := harness.Server{
			OnShow: func(d display.Data) {
				r.show(Output{Output: nbformat.Output{Type: "display_data", Data: d.Data, Metadata: d.Metadata}, ID: d.DisplayID})
			},
			OnAsk:   r.noWidgets,
			OnInput: r.asks,
		}.Serve(from, answer{running})
		from.CloseWithError(err)
		served <- err
	}()
	ended := running.Wait()
	pipe.Close()
	if err := <-served; err != nil {
		return err
	}
	shows.end(ended)
	return nil
}

// An answer is the way back to a program.
type answer struct{ Running }

func (a answer) Write(data []byte) (int, error) {
	a.Answer(data)
	return len(data), nil
}

// A shower shows what a program prints, an excerpt if that is long. It keeps back the stack of a
// panic, which an explanation replaces.
type shower struct {
	*run
	checks         *checks.Words // of a %test cell; nil: of others
	stdout, stderr excerpt.Text
	held           mistake.Held
	rest           [Display]string // the start of a character whose rest is to come, by stream
}

func (s *shower) wrote(to Stream, text string) {
	text = s.rest[to] + text
	text, s.rest[to] = splitRune(text)
	if !utf8.ValidString(text) {
		text = string([]rune(text)) // each byte that is no UTF-8 becomes U+FFFD, as in JSON
	}
	if to == Stdout {
		s.print("stdout", s.stdout.Add(s.worded(text)))
		return
	}
	s.print("stderr", s.stderr.Add(s.held.Take(text)))
}

// worded puts what tests print into fewer words.
func (s *shower) worded(text string) string {
	if s.checks == nil {
		return text
	}
	return s.checks.Take(text)
}

// splitRune cuts off an incomplete character at the end of text.
func splitRune(text string) (whole, rest string) {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRuneInString(text[i:]) {
				return text[:i], text[i:]
			}
			break
		}
	}
	return text, ""
}

// end shows how the program ended.
func (s *shower) end(ended string) {
	text := s.worded(s.rest[Stdout])
	if s.checks != nil {
		text += s.checks.Rest()
	}
	s.print("stdout", s.stdout.Add(text)+s.stdout.End())
	s.print("stderr", s.stderr.Add(s.held.Take(s.rest[Stderr])))
	if ended == "" {
		s.print("stderr", s.stderr.Add(s.held.Release())+s.stderr.End())
		return
	}
	text = s.held.Text()
	if !mistake.HasStack(text) {
		s.print("stderr", s.stderr.Add(s.held.Release()))
	}
	s.print("stderr", s.stderr.End())
	s.explain(ended, []string{ended}, text)
}
