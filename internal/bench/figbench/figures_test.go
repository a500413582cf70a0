package figbench

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"marginalia/internal/install/venv"
	"marginalia/internal/testkit/must"
)

//go:embed picture.py
var script string

//go:embed requirements.txt
var requirements string

// drawn is what a drawing took in seconds, altogether and of the processors, and its
// size in bytes.
type drawn struct {
	wall, busy float64
	size       int
}

// A painter draws the picture in a format, from the beginning, values and file included;
// the start of the programs, and matplotlib's import of a third of a second, are not.
type painter func(format string) (drawn, error)

// BenchmarkAgainstMatplotlib draws the picture alternately with plotting and with
// matplotlib, and reports the medians and ratios of wall and CPU time. CPU time says more
// on a busy machine. The first run installs matplotlib, pinned in requirements.txt, into
// the user's cache.
func BenchmarkAgainstMatplotlib(b *testing.B) {
	python := must.Get(venv.Cached(b.Context(), "figbench", requirements)).Or(b)
	theirs, version := matplotlib(b, python)
	painters := []painter{plot(), theirs}
	for _, format := range []string{"png", "svg"} {
		b.Run(format+"/matplotlib="+version, func(b *testing.B) {
			var wall, busy [2][]float64
			var size [2]int
			draw := func() {
				for k, paint := range painters {
					d := must.Get(paint(format)).Or(b)
					size[k] = d.size
					wall[k], busy[k] = append(wall[k], d.wall), append(busy[k], d.busy)
				}
			}
			draw() // to warm up
			wall, busy = [2][]float64{}, [2][]float64{}
			for b.Loop() {
				draw()
			}
			for k, name := range []string{"plotting", "matplotlib"} {
				b.ReportMetric(1000*median(wall[k]), name+"-ms")
				b.ReportMetric(1000*median(busy[k]), name+"-cpu-ms")
				b.ReportMetric(float64(size[k])/1000, name+"-KB")
			}
			b.ReportMetric(median(wall[0])/median(wall[1]), "time-ratio")
			b.ReportMetric(median(busy[0])/median(busy[1]), "cpu-ratio")
			b.ReportMetric(0, "ns/op") // of both together says nothing
		})
	}
}

func median(v []float64) float64 {
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

func plot() painter {
	x, y := samples()
	return func(format string) (drawn, error) {
		start, before := time.Now(), busy()
		var file []byte
		if f := picture(x, y); format == "svg" {
			file = f.SVG()
		} else {
			file = f.PNG(96)
		}
		return drawn{time.Since(start).Seconds(), busy() - before, len(file)}, nil
	}
}

// busy is how long processors have worked for this program, its garbage collector included.
func busy() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic("figbench: " + err.Error()) // of a wrong argument only
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// matplotlib starts picture.py, which ends with its input.
func matplotlib(b *testing.B, python string) (paint painter, version string) {
	cmd := exec.CommandContext(b.Context(), python, "-I", "-c", script)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in := must.Get(cmd.StdinPipe()).Or(b)
	pipe := must.Get(cmd.StdoutPipe()).Or(b)
	must.Do(b, cmd.Start())
	out := bufio.NewReader(pipe)
	line := func() (string, error) {
		s, err := out.ReadString('\n')
		if err != nil {
			return "", fmt.Errorf("picture.py: %w, %v: %s", err, cmd.Wait(), strings.TrimSpace(stderr.String()))
		}
		return strings.TrimSpace(s), nil
	}
	version = must.Get(line()).Or(b)
	b.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return func(format string) (d drawn, err error) {
		if _, err := io.WriteString(in, format+"\n"); err != nil {
			return d, err
		}
		s, err := line()
		if err == nil {
			_, err = fmt.Sscan(s, &d.wall, &d.busy, &d.size)
		}
		return d, err
	}, version
}
