// Command figbench times the picture of a field, 400×400 values with three lines and
// 2000 points over them, as plotting draws it and as matplotlib does, in turn and in the
// same run, and prints the medians and their ratio:
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
	"time"
)

//go:embed picture.py
var script string

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
type painter func(format, path string) (seconds float64, size int, err error)

func run(ctx context.Context, rounds int, keep string) error {
	if rounds < 1 {
		return fmt.Errorf("-rounds %d, want at least 1", rounds)
	}
	python, err := environment(ctx)
	if err != nil {
		return err
	}
	theirs, version, err := matplotlib(ctx, python)
	if err != nil {
		return err
	}
	painters := []painter{plot(), theirs}
	fmt.Printf("%d rounds, medians (least)\t\tplotting\tmatplotlib %s\tratio\n", rounds, version)
	for _, format := range []string{"png", "svg"} {
		var took [2][]float64
		var size [2]int
		for round := range rounds + 1 {
			for k, paint := range painters {
				path := ""
				if round == 0 && keep != "" {
					path = filepath.Join(keep, []string{"plotting.", "matplotlib."}[k]+format)
				}
				seconds, n, err := paint(format, path)
				if err != nil {
					return err
				}
				if size[k] = n; round > 0 { // the first is to warm up
					took[k] = append(took[k], seconds)
				}
			}
		}
		for k := range took {
			slices.Sort(took[k])
		}
		ms := func(k int) string {
			return fmt.Sprintf("%.1f ms (%.1f), %d KB", 1000*took[k][rounds/2], 1000*took[k][0], size[k]/1000)
		}
		fmt.Printf("%s\t%s\t%s\t%.2f\n", format, ms(0), ms(1), took[0][rounds/2]/took[1][rounds/2])
	}
	return nil
}

func plot() painter {
	x, y := samples()
	return func(format, path string) (float64, int, error) {
		start := time.Now()
		var file []byte
		if f := picture(x, y); format == "svg" {
			file = f.SVG()
		} else {
			file = f.PNG(96)
		}
		seconds := time.Since(start).Seconds()
		if path == "" {
			return seconds, len(file), nil
		}
		return seconds, len(file), os.WriteFile(path, file, 0o644)
	}
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
	return func(format, path string) (seconds float64, size int, err error) {
		if _, err := io.WriteString(in, strings.TrimSpace(format+" "+path)+"\n"); err != nil {
			return 0, 0, err
		}
		s, err := line()
		if err == nil {
			_, err = fmt.Sscan(s, &seconds, &size)
		}
		return seconds, size, err
	}, strings.TrimSpace(version), nil
}
