package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var (
	countWrong = regexp.MustCompile(`^(requires at least|accepts) \d+ arg\(s\), (only )?received \d+$`)
	together   = regexp.MustCompile(`^if any flags in the group .* none of the others can be; \[(.*)\] were all set$`)
)

// usage says what cobra finds wrong with a command line in the words of its manual.
func usage(c *cobra.Command, err error) string {
	text := strings.TrimSpace(err.Error())
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		want := map[string]string{"float64": "a number, such as 4.5", "int": "a whole number", "duration": "a time, such as 90s or 2m", "bool": "true or false"}[bad.GetFlag().Value.Type()]
		if want != "" {
			return fmt.Sprintf("--%s %q: want %s", bad.GetFlag().Name, bad.GetValue(), want)
		}
	}
	if m := together.FindStringSubmatch(text); m != nil {
		return "--" + strings.Join(strings.Fields(m[1]), " and --") + " exclude each other"
	}
	if countWrong.MatchString(text) {
		name, want, _ := strings.Cut(strings.TrimPrefix(c.UseLine(), c.Root().Name()+" "), c.Name()+" ")
		want, _, _ = strings.Cut(strings.TrimSuffix(want, " [flags]"), " [")
		got := "nothing"
		if args := c.Flags().Args(); len(args) > 0 {
			got = strings.Join(args, " ")
		}
		return fmt.Sprintf("%s%s: want %s, got %s", name, c.Name(), want, got)
	}
	return text
}

// unknown is the mistake of a command that has no such subcommand, with those that look like it.
func unknown(c *cobra.Command, name string) error {
	c.SuggestionsMinimumDistance = 2 // as cobra has it for the commands at the top
	text := fmt.Sprintf("%s has no command %q", strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" "), name)
	if like := c.SuggestionsFor(name); len(like) > 0 {
		text += ": did you mean " + strings.Join(like, " or ") + "?"
	}
	return usageError{errors.New(text)}
}

// called is how this command was called: what it tells somebody to run has to be there.
func called() string {
	if filepath.Base(os.Args[0]) == "marginalia" && processName(os.Getppid()) == "go" {
		return "go run ."
	}
	return "marginalia"
}

// plural is a number of things.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
