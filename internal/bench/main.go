package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == childArgument {
		if err := child(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	only := flag.String("only", "", "the cases to measure, by name, with commas between; all without it")
	rounds := flag.Int("runs", 5, "how often each side solves each case")
	growth := flag.Bool("growth", false, "instead of the cases, case a with 1,000 to 20,000 samples: how the time grows")
	flag.Parse()
	var names []string
	if *only != "" {
		names = strings.Split(*only, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, names, *rounds, *growth); err != nil {
		fmt.Fprintln(os.Stderr, strings.TrimPrefix(err.Error(), "bench: "))
		os.Exit(1)
	}
}

func run(ctx context.Context, only []string, rounds int, growth bool) error {
	if rounds < 1 {
		return fmt.Errorf("--runs %d, want at least 1", rounds)
	}
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	if growth {
		if only != nil {
			return errors.New("--growth has cases of its own: leave --only out")
		}
		chosen = growthCases()
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	sides, err := findSides(ctx)
	if err != nil {
		return err
	}
	b := bench{sides: sides, folder: filepath.Join(cache, "marginalia", "bench"), rounds: rounds, log: os.Stderr}
	report := report{missing: sides.missing}
	for _, c := range chosen {
		r, err := b.measure(ctx, c)
		if ctx.Err() != nil {
			break // what has been measured so far is not lost
		}
		if err != nil {
			report.missing = append(report.missing, fmt.Sprintf("%s was not measured: %v", c.Name, err))
			continue
		}
		report.results = append(report.results, r)
	}
	if growth {
		report.exponents = exponents(report.results)
	}
	fmt.Print(report.markdown())
	return ctx.Err()
}

// choose returns the cases with these names, in the order of the table; nil means all.
func choose(names []string) ([]benchCase, error) {
	var all []string
	for _, c := range cases {
		all = append(all, c.Name)
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("--only: there is no case %q, there are %s", name, strings.Join(all, ", "))
		}
	}
	chosen := slices.Clone(cases)
	if names != nil {
		chosen = slices.DeleteFunc(chosen, func(c benchCase) bool { return !slices.Contains(names, c.Name) })
	}
	return chosen, nil
}
