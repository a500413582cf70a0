package mistake

import (
	"regexp"
	"strings"
)

// timingHint says how cells are timed to somebody who has tried by a command of IPython, or elsewhere than in
// line 1; "" for other commands.
func timingHint(command string) string {
	switch strings.TrimLeft(command, "%") {
	case "time", "timeit", "bench", "prun":
		return "%%time alone in the first line of a cell times one run of it, %%bench many"
	}
	return ""
}

var (
	unknown = regexp.MustCompile(`^"(%+\w+)" unknown or not implemented yet\.$`)
	hinted  = regexp.MustCompile(`(" unknown or not implemented yet\.)\n→ %%time alone .*\n`)
)

// Unknown returns what GoNB has written to stderr of a command that it does not know, with a hint if the
// command would time the cell.
func Unknown(stderr string) string {
	if said := unknown.FindStringSubmatch(stderr); said != nil {
		if hint := timingHint(said[1]); hint != "" {
			return stderr + "\n→ " + hint + "\n"
		}
	}
	return stderr
}
