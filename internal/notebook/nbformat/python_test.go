package nbformat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// pythonWithNbformat returns the Python of the environment `marginalia lab`
// makes, and makes that if need be.
func pythonWithNbformat(t *testing.T) string {
	t.Helper()
	tier.Peer(t)
	root := repotest.Root(t)
	python := must.Get(lab.JupyterPython(context.Background(), root, nil)).Or(t)
	return python
}

// TestRandomAsPython has Python's nbformat write two hundred random notebooks.
func TestRandomAsPython(t *testing.T) {
	python := pythonWithNbformat(t)
	r := rand.New(rand.NewPCG(45, 1))
	dir := t.TempDir()
	const n = 200
	for i := range n {
		data := must.Get(json.Marshal(randomNotebook(r))).Or(t)
		testfile.Write(t, filepath.Join(dir, fmt.Sprintf("%d.json", i)), data)
	}
	cmd := exec.Command(python, "-c", `
import sys, nbformat
for i in range(int(sys.argv[1])):
    nbformat.write(nbformat.read("%d.json" % i, as_version=4), "%d.ipynb" % i)
`, fmt.Sprint(n))
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i := range n {
		nb := nbtest.Read(t, filepath.Join(dir, fmt.Sprintf("%d.json", i)))
		got := must.Get(nb.Encode()).Or(t)
		want := testfile.Read(t, filepath.Join(dir, fmt.Sprintf("%d.ipynb", i)))
		if string(got) != want {
			t.Fatalf("notebook %d: got\n%s\nPython writes\n%s", i, got, want)
		}
	}
}

func randomNotebook(r *rand.Rand) map[string]any {
	cells := []any{}
	for i := range r.IntN(6) {
		cell := map[string]any{
			"id":        fmt.Sprintf("c%d", i),
			"cell_type": []string{"raw", "markdown", "code"}[r.IntN(3)],
			"metadata":  map[string]any{randomText(r): randomValue(r, 2)},
			"source":    randomLines(r),
		}
		if cell["cell_type"] == "code" {
			cell["execution_count"] = []any{nil, 1, 20}[r.IntN(3)]
			outputs := []any{}
			for range r.IntN(4) {
				outputs = append(outputs, randomOutput(r))
			}
			cell["outputs"] = outputs
		} else if r.IntN(3) == 0 {
			cell["attachments"] = map[string]any{"a.svg": randomBundle(r)}
		}
		cells = append(cells, cell)
	}
	return map[string]any{
		"nbformat": 4, "nbformat_minor": 5, "cells": cells,
		"metadata": map[string]any{"k" + randomText(r): randomValue(r, 3), "trusted": true},
	}
}

func randomOutput(r *rand.Rand) map[string]any {
	switch r.IntN(4) {
	case 0:
		return map[string]any{"output_type": "stream", "name": "stdout", "text": randomLines(r)}
	case 1:
		return map[string]any{"output_type": "error", "ename": randomText(r), "evalue": randomText(r), "traceback": []string{randomText(r)}}
	case 2:
		return map[string]any{"output_type": "execute_result", "execution_count": 1, "data": randomBundle(r), "metadata": map[string]any{}}
	}
	return map[string]any{"output_type": "display_data", "data": randomBundle(r), "metadata": map[string]any{randomText(r): randomValue(r, 1)}}
}

func randomBundle(r *rand.Rand) map[string]any {
	b := map[string]any{}
	for _, mime := range []string{"text/plain", "text/x+json", "image/png", "image/svg+xml", "application/javascript", "application/pdf"} {
		if r.IntN(2) == 0 {
			b[mime] = randomLines(r)
		}
	}
	if r.IntN(2) == 0 {
		b["application/vnd.x+json"] = randomValue(r, 3)
	}
	return b
}

// randomLines returns a string, or a list of strings that are no lines.
func randomLines(r *rand.Rand) any {
	if r.IntN(2) == 0 {
		return randomText(r)
	}
	lines := []string{}
	for range r.IntN(4) {
		lines = append(lines, randomText(r))
	}
	return lines
}

func randomText(r *rand.Rand) string {
	pieces := []string{"a", "ß", "日本", "😀", "\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f", "\u0085", "\u2028", "\u2029",
		"\x00", "\x7f", "\t", "\b", `"`, `\`, "/", "<&>", "\ufeff", "\uffff", "U+FFFD \ufffd", " "}
	var b strings.Builder
	for range r.IntN(8) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func randomValue(r *rand.Rand, depth int) any {
	n := 8
	if depth == 0 {
		n = 6
	}
	switch r.IntN(n) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return r.Int64() - r.Int64()
	case 3:
		return json.Number([]string{"0.1", "1e-07", "2.5", "1e+22", "-0.0", "12345678901234567890123", "100000.0"}[r.IntN(7)])
	case 4, 5:
		return randomText(r)
	case 6:
		list := []any{}
		for range r.IntN(3) {
			list = append(list, randomValue(r, depth-1))
		}
		return list
	}
	m := map[string]any{}
	for range r.IntN(3) {
		m[randomText(r)] = randomValue(r, depth-1)
	}
	return m
}
