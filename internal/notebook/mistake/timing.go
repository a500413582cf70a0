package mistake

import (
	"cmp"
	"regexp"
	"strings"
)

// commandHint says what stands here for a command of IPython, or where to find those that there are.
func commandHint(command string) string {
	switch strings.TrimLeft(command, "%") {
	case "matplotlib", "pylab":
		return `no command is needed: plotting.Show("name", plotting.New("", …)) shows a figure`
	case "pip", "conda", "mamba", "uv":
		return "gonum and the standard library are there: an import above %% suffices; go get, in the folder of the notebook, adds a module"
	}
	return cmp.Or(timingHint(command), "%help says which commands there are")
}

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
	hinted  = regexp.MustCompile(`(" unknown or not implemented yet\.)\n→ .*\n`)
)

// Unknown returns what GoNB has written to stderr of a command that it does not know, with a hint.
func Unknown(stderr string) string {
	if said := unknown.FindStringSubmatch(stderr); said != nil {
		return stderr + "\n→ " + commandHint(said[1]) + "\n"
	}
	return stderr
}
