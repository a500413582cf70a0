// Command compile exports and compiles notebooks:
//
//	compile ROOT NOTEBOOK FOLDER …
//
// It prints a JSON array with what was wrong with each notebook, "" for nothing.
//
// It is a program of its own so that what only runs notebooks' tests, and that
// is linked anew each time, does not link the exporter.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"marginalia/internal/gotest/export"
)

func main() {
	if len(os.Args) < 4 || len(os.Args)%2 != 0 {
		fmt.Fprintln(os.Stderr, "usage: compile ROOT NOTEBOOK FOLDER …")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var jobs []export.Job
	for i := 2; i < len(os.Args); i += 2 {
		jobs = append(jobs, export.Job{File: os.Args[i], Dir: os.Args[i+1]})
	}
	words := make([]string, len(jobs))
	for i, err := range export.Compile(ctx, jobs, os.Args[1]) {
		if err != nil {
			words[i] = err.Error()
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(words); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
