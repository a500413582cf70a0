// Command compile exports and compiles one notebook:
//
//	compile NOTEBOOK FOLDER ROOT
//
// It is a program of its own so that what only runs notebooks' tests, and that
// is linked anew each time, does not link the exporter.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"marginalia/internal/export"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: compile NOTEBOOK FOLDER ROOT")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := export.Compile(ctx, os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
