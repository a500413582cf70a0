package build

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/base/processes"
)

// A Command is a call of the go command.
type Command struct {
	Go   string   // the go command itself
	Args []string // without its name
	Dir  string
	Env  []string

	Edited map[string][]byte // texts of files in Dir, by name, that are not what is written there
}

// located returns the command with the folder as the go command sees it: by the way that PWD says, or
// without links.
func (c Command) located() Command {
	here, err1 := os.Stat(c.Dir)
	pwd := value(c.Env, "PWD")
	if said, err2 := os.Stat(pwd); err1 == nil && err2 == nil && filepath.IsAbs(pwd) && os.SameFile(here, said) {
		c.Dir = filepath.Clean(pwd)
	} else if dir, err := filepath.Abs(c.Dir); err == nil {
		if c.Dir, err = filepath.EvalSymlinks(dir); err != nil {
			c.Dir = dir
		}
	}
	return c
}

// makes are the commands that make a program, without the file and flags.
var makes = [][]string{{"build", "-o"}, {"test", "-c", "-o"}}

// flags returns the file that "go build -o file [flags]" or "go test -c -o file [flags]" makes, and the
// flags. ok is false for other commands and for flags whose effect is not known here.
func (c Command) flags() (file string, flags []string, ok bool) {
	i := slices.IndexFunc(makes, func(m []string) bool { return len(c.Args) > len(m) && slices.Equal(c.Args[:len(m)], m) })
	if i < 0 {
		return "", nil, false
	}
	file, flags = c.Args[len(makes[i])], c.Args[len(makes[i])+1:]
	if !known(flags) || !known(c.goflags()) {
		return "", nil, false
	}
	if file == "" || os.IsPathSeparator(file[len(file)-1]) {
		return "", nil, false // it would make a folder
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(c.Dir, file)
	}
	return file, flags, true
}

// tests reports whether the program runs tests.
func (c Command) tests() bool { return c.Args[0] == "test" }

func (c Command) goflags() []string { return strings.Fields(value(c.Env, "GOFLAGS")) }

// known reports whether the effect of all flags is known here. That of flags for some packages depends on
// the name of the program.
func known(flags []string) bool {
	return !slices.ContainsFunc(flags, func(flag string) bool {
		name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if slices.Contains([]string{"gcflags", "ldflags"}, name) && value != "" && !strings.HasPrefix(strings.TrimSpace(value), "-") {
			return true
		}
		return !strings.HasPrefix(flag, "-") || !slices.Contains([]string{"buildvcs", "gcflags", "ldflags", "mod", "race", "tags"}, name) && flag != noVet
	})
}

// noVet has "go test" build what "go vet" would refuse.
const noVet = "-vet=off"

// buildFlags are the flags that commands other than "go test" take, too.
func buildFlags(flags []string) []string {
	return slices.DeleteFunc(slices.Clone(flags), func(flag string) bool { return flag == noVet })
}

// output runs the go command with other arguments in the folder and the environment of c, but without
// the network: whoever waits for what is learned must not wait for a proxy.
func (c Command) output(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	cmd := processes.Command(ctx, c.Go, args...)
	cmd.Dir, cmd.Env = c.Dir, append(slices.Clip(c.Env), "GOPROXY=off", "GONOPROXY=none")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		err = errors.New(strings.TrimSpace(said.String()))
	}
	return out.String(), said.String(), err
}
