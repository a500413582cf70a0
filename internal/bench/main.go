// Command bench times mlkit against scikit-learn, LIBSVM and LIBLINEAR on the same
// samples, in the same run, in turn, on the same cores and with the same stopping rule,
// and prints a table in Markdown of how many times as long the others take:
//
//	go run ./internal/bench
//	go run ./internal/bench --only a,kmeans --runs 7 --json results.json
//	go run ./internal/bench --growth
//
// Each measurement is a process of its own, which reports the time of its fit alone,
// without its start and the reading of the samples, and the peak of its memory, which has
// both: with the others it has Python and NumPy, too. The solution comes back too, and its objective is computed anew, in float64, by
// one piece of code for all: a time counts only if the objective is within 10⁻⁵,
// relatively, of the best.
//
// The time is that of the processors where a case runs on one core, which other programs
// on the machine disturb less, and that of the clock where it runs on more.
//
// The first run installs scikit-learn, LIBSVM and LIBLINEAR into the user's cache, as
// pinned; the latter two are built from source and need a C++ compiler. Builds of the
// two libraries that the system's package manager has installed take part as well
// (Debian: libsvm3, liblinear4). What is missing is said, and left out.
package main

import (
	"context"
	"encoding/json"
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
	var o options
	only := flag.String("only", "", "the cases to measure, by name, with commas between; all without it")
	flag.StringVar(&o.json, "json", "", "a file to write all that was measured into")
	flag.IntVar(&o.cores, "cores", 0, "the cores of each case; 0 is one, or what the case says")
	flag.IntVar(&o.rounds, "runs", 5, "how often each side solves each case")
	flag.BoolVar(&o.growth, "growth", false, "instead of the cases, case a with 1,000 to 20,000 samples: how the time grows")
	flag.Parse()
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, strings.TrimPrefix(err.Error(), "bench: "))
		os.Exit(1)
	}
}

type options struct {
	only   []string
	json   string
	cores  int
	rounds int
	growth bool
}

func run(ctx context.Context, o options) error {
	if o.rounds < 1 {
		return fmt.Errorf("--runs %d, want at least 1", o.rounds)
	}
	if o.cores < 0 {
		return fmt.Errorf("--cores %d, want at least 1, or 0 for what the case says", o.cores)
	}
	chosen, err := choose(o.only)
	if err != nil {
		return err
	}
	if o.growth {
		if o.only != nil {
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
	b := bench{sides: sides, folder: filepath.Join(cache, "marginalia", "bench"), rounds: o.rounds, cores: o.cores, log: os.Stderr}
	report := report{Machine: machineName(), Missing: sides.missing}
	for _, c := range chosen {
		r, err := b.measure(ctx, c)
		if ctx.Err() != nil {
			break // what has been measured so far is not lost
		}
		if err != nil {
			report.Missing = append(report.Missing, fmt.Sprintf("%s was not measured: %v", c.Name, err))
			continue
		}
		report.Results = append(report.Results, r)
	}
	if o.growth {
		report.Exponents = exponents(report.Results)
	}
	fmt.Print(report.markdown())
	if o.json == "" {
		return ctx.Err()
	}
	text, err := json.MarshalIndent(report, "", "\t")
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(o.json, append(text, '\n'), 0o644), ctx.Err())
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
