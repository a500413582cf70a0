// Command figbench times the picture of a field, 400×400 values with three lines and
// 2000 points over them, as plotting draws it and as matplotlib does, in turn and in the
// same run, and prints the medians and their ratios, of the time and of the time of the
// processors, which says more when they have other things to do:
//
//	go run ./internal/figbench
//	go run ./internal/figbench -rounds 41 -keep DIR
//
// Each time the picture is drawn from the beginning, values and file included; the
// start of the programs, and matplotlib's import of a third of a second, are not. The
// first time it installs matplotlib, as requirements.txt pins it, into the user's cache.
package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"marginalia/internal/venv"
)

//go:embed picture.py
var script string

//go:embed requirements.txt
var requirements string

func main() {
	rounds := flag.Int("rounds", 21, "how often each picture is drawn")
	keep := flag.String("keep", "", "a folder to write the pictures into")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *rounds, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "figbench:", err)
		os.Exit(1)
	}
}

// A painter draws the picture in a format, into a file if a path is given.
type painter func(format, path string) (drawn, error)

// drawn is what a drawing took in seconds, altogether and of the processors, and its
// size in bytes.
type drawn struct {
	wall, busy float64
	size       int
}

func run(ctx context.Context, rounds int, keep string) error {
	if rounds < 1 {
		return fmt.Errorf("-rounds %d, want at least 1", rounds)
	}
	python, err := venv.Cached(ctx, "figbench", requirements)
	if err != nil {
		return err
	}
	theirs, version, err := matplotlib(ctx, python)
	if err != nil {
		return err
	}
	painters := []painter{plot(), theirs}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', 0)
	fmt.Fprintf(out, "medians of %d\tplotting\tmatplotlib %s\tratio\n", rounds, version)
	for _, format := range []string{"png", "svg"} {
		var wall, busy [2][]float64
		var size [2]int
		for round := range rounds + 1 {
			for k, paint := range painters {
				path := ""
				if round == 0 && keep != "" {
					path = filepath.Join(keep, []string{"plotting.", "matplotlib."}[k]+format)
				}
				d, err := paint(format, path)
				if err != nil {
					return err
				}
				if size[k] = d.size; round > 0 { // the first is to warm up
					wall[k], busy[k] = append(wall[k], d.wall), append(busy[k], d.busy)
				}
			}
		}
		row := func(what, unit string, a, b float64) {
			fmt.Fprintf(out, "%s, %s\t%.0f %s\t%.0f %s\t%.2f\n", format, what, a, unit, b, unit, a/b)
		}
		row("time", "ms", 1000*median(wall[0]), 1000*median(wall[1]))
		row("processors", "ms", 1000*median(busy[0]), 1000*median(busy[1]))
		row("size", "KB", float64(size[0])/1000, float64(size[1])/1000)
	}
	return out.Flush()
}

func median(v []float64) float64 {
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

func plot() painter {
	x, y := samples()
	return func(format, path string) (drawn, error) {
		start, before := time.Now(), busy()
		var file []byte
		if f := picture(x, y); format == "svg" {
			file = f.SVG()
		} else {
			file = f.PNG(96)
		}
		d := drawn{time.Since(start).Seconds(), busy() - before, len(file)}
		if path == "" {
			return d, nil
		}
		return d, os.WriteFile(path, file, 0o644)
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
func matplotlib(ctx context.Context, python string) (paint painter, version string, err error) {
	cmd := exec.CommandContext(ctx, python, "-I", "-c", script)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, "", err
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	out := bufio.NewReader(pipe)
	line := func() (string, error) {
		s, err := out.ReadString('\n')
		if err != nil {
			return "", fmt.Errorf("picture.py: %w, %v: %s", err, cmd.Wait(), strings.TrimSpace(stderr.String()))
		}
		return s, nil
	}
	if version, err = line(); err != nil {
		return nil, "", err
	}
	return func(format, path string) (d drawn, err error) {
		if _, err := io.WriteString(in, strings.TrimSpace(format+" "+path)+"\n"); err != nil {
			return d, err
		}
		s, err := line()
		if err == nil {
			_, err = fmt.Sscan(s, &d.wall, &d.busy, &d.size)
		}
		return d, err
	}, strings.TrimSpace(version), nil
}
