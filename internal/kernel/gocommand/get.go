//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// getOffline runs "go get" with what is on this computer, and asks the network if that is not
// enough. What fails then is said in few words, with what to do.
func getOffline(real string, args []string) (status int, err error) {
	run := func(env ...string) (string, error) {
		cmd := exec.Command(real, args...)
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	// GONOPROXY=none: private modules too are looked for on this computer only.
	if _, err := run("GOPROXY=off", "GONOPROXY=none"); err == nil {
		return 0, nil
	}
	out, err := run()
	if err == nil {
		return 0, nil
	}
	if _, failed := err.(*exec.ExitError); !failed {
		return 0, err
	}
	// No network: perhaps an earlier download is still in the module cache, which
	// has the layout of a proxy. What is there was verified when it came.
	cache, _ := exec.Command(real, "env", "GOMODCACHE").Output()
	if _, err := run("GOPROXY=file://"+strings.TrimSpace(string(cache))+"/cache/download", "GONOPROXY=none", "GOSUMDB=off"); err == nil {
		return 0, nil
	}
	fmt.Print(explain(out, func() []string {
		list, _ := exec.Command(real, "list", "-m", "-f", "{{.Path}}").Output()
		return strings.Split(string(list), "\n")
	}))
	return 1, nil
}

// The imports at fault: "go: module PATH: …", "go: PATH@VERSION: …", and the
// indented "PATH: cannot find module …" below "go: X imports".
var atFault = regexp.MustCompile(`(?m)^(?:go: module ([^: ]+): |go: ([^@: ]+)@[^: ]+: |\t([^: ]+): (?:cannot find|package|module|no required))`)

// unreachable is how the go command says that nobody has answered.
var unreachable = regexp.MustCompile(`dial tcp|no such host|connection refused|unreachable|imeout|proxyconnect|` +
	`Could not resolve host|connect to server|Failed to connect|disabled by GOPROXY=off|deadline exceeded`)

// explain puts what is wrong, and what to do, before what "go get" said. modules are those that are
// being worked on.
func explain(out string, modules func() []string) string {
	var imports []string
	for _, m := range atFault.FindAllStringSubmatch(out, -1) {
		imports = append(imports, m[1]+m[2]+m[3])
	}
	slices.Sort(imports)
	imports = slices.Compact(imports)
	if len(imports) == 0 {
		return out
	}
	what := fmt.Sprintf("import %q: no module on this computer has this package", imports[0])
	own := -1
	var mine []string
	if len(imports) > 1 {
		what = "imports " + strings.Join(imports, " ") + ": no module on this computer has these packages"
	} else {
		mine = modules()
		own = slices.IndexFunc(mine, func(m string) bool { return m != "" && strings.HasPrefix(imports[0]+"/", m+"/") })
	}
	var why, todo string
	switch {
	case strings.Contains(out, "is not in std"):
		why, todo = "a path without a dot names the standard library or this repository, and neither has it", "check the spelling of the import"
	case own >= 0:
		why, todo = "the module "+mine[own]+" has none of this path", "check the spelling of the import"
	case unreachable.MatchString(out):
		why, todo = "the module proxy or repository could not be reached", "connect to the network (or set GOPROXY) and run the cell again, or import only what is on this computer"
	default:
		why, todo = "the module proxy knows no such module or package", "check the spelling of the import, or whether the module is public"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "marginalia: %s, and %s; %s.\n", what, why, todo)
	// Then what go said, less the lines that say nothing. "cannot find module
	// providing" would make GoNB add a note on workspaces that does not apply.
	for line := range strings.Lines(out) {
		if !strings.Contains(line, "finding module for") && !strings.Contains(line, "downloading") {
			b.WriteString(strings.ReplaceAll(line, "cannot find module providing", "no module provides"))
		}
	}
	return b.String()
}
