package program

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/notebook/gonb"
)

// notHere are the commands that the kernel itself answers, or that need it.
var notHere = map[string]string{
	"widgets": "needs a browser", "widgets_hb": "needs a browser",
	"help": "works only on the kernel", "version": "works only on the kernel",
	"ls": "works only on the kernel", "list": "works only on the kernel",
	"with_inputs": "asks for input", "with_password": "asks for input",
	"track": "is for the kernel's editor support", "untrack": "is for the kernel's editor support",
	"goworkfix": "changes the kernel's module", "capture": "writes a file",
	"wasm": "runs in the browser",
}

// refuse is how GoNB refuses a command: the rest of the cell does not run.
func refuse(format string, args ...any) error {
	return fmt.Errorf("executing special commands in cell: "+format, args...)
}

// command does to the session what a command does to the kernel, and notes
// what it prints. The texts are those of GoNB, so that outputs compare.
func (s *Session) command(c gonb.Command, p *Program) error {
	print := func(stream, format string, args ...any) {
		p.Prints = append(p.Prints, Print{Stream: stream, Text: fmt.Sprintf(format, args...)})
	}
	if c.Shell {
		p.skip("line %d runs a shell command (!%s)", c.Line+1, c.Text)
		return nil
	}
	name, args := c.Words[0], c.Words[1:]
	if why, ok := notHere[name]; ok {
		p.skip("line %d: %%%s %s", c.Line+1, name, why)
		return nil
	}
	switch name {
	case "", "%", "main", "args", "test", "autoget", "noautoget":
	case "exec":
		if len(args) == 0 {
			return refuse("%%exec requires the name of the function to execute")
		}
	case "env":
		return s.setenv(args, print)
	case "cd":
		return s.cd(args, p)
	case "goflags":
		if len(args) > 0 {
			s.flags = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "" })
		}
		print("stdout", "%%goflags=%q\n", s.flags)
	case "reset":
		switch {
		case len(args) == 0:
			s.decls = gonb.NewDecls()
			print("stdout", "* State reset: all memorized declarations discarded.\n")
		case len(args) > 1 || args[0] != "go.mod":
			return refuse("%%reset only take one optional parameter \"go.mod\"")
		}
	case "rm", "remove":
		s.decls = s.decls.Clone()
		for _, key := range args {
			if kind := s.decls.Remove(key); kind != "" {
				print("stdout", ". removed %s %s\n", kind, key)
			} else {
				print("stderr", ". key %q not found in any definition, not removed\n", key)
			}
		}
	case "%writefile", "%script", "%bash", "%sh", "%gx":
		return refuse("\"%%%s\" can only appear at the start of the cell", name)
	default:
		print("stderr", "\"%%%s\" unknown or not implemented yet.", name)
	}
	return nil
}

func (s *Session) setenv(args []string, print func(stream, format string, args ...any)) error {
	if len(args) == 1 {
		// GoNB wants two letters at least before the "=".
		if key, value, ok := strings.Cut(args[0], "="); ok && len(key) > 1 {
			args = []string{key, value}
		}
	}
	if len(args) != 2 {
		return refuse("`%%env <VAR_NAME> <value>` (or `%%env <VAR_NAME>=<value>`): it takes 2 arguments, the variable name and it's content, but %d were given", len(args))
	}
	s.env = append(s.env, args[0]+"="+args[1])
	print("stdout", "Set: %s=%q\n", args[0], args[1])
	return nil
}

func (s *Session) cd(args []string, p *Program) error {
	format := "Current directory: %q\n"
	if len(args) > 1 {
		return refuse("`%%cd [<directory>]`: it takes none or one argument, but %d were given", len(args))
	}
	if len(args) == 1 {
		dir := args[0]
		if home, err := os.UserHomeDir(); err == nil && (dir == "~" || strings.HasPrefix(dir, "~/")) {
			dir = home + dir[1:]
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(s.cwd, dir)
		}
		at := dir
		if !filepath.IsAbs(at) {
			at = filepath.Join(s.dir, dir)
		}
		if info, err := os.Stat(at); err != nil || !info.IsDir() {
			why := "no such file or directory"
			if err == nil {
				why = "not a directory"
			}
			return refuse("`%%cd %q` failed: chdir %s: %s", args[0], args[0], why)
		}
		s.cwd, format = dir, "Changed directory to %q\n"
	}
	p.Prints = append(p.Prints, Print{Stream: "stdout", Text: format, Dir: cmp.Or(s.cwd, ".")})
	return nil
}
