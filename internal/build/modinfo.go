package build

import (
	"errors"
	"strconv"
	"strings"
)

// A modinfo is the line of an importcfg with what debug.ReadBuildInfo says in the program: its
// path, its module, those that it is linked from, and the settings of the build.
type modinfo struct {
	begin, end   string
	before, deps []string // lines; a module is one, and another below it if it is replaced
	after        []string
}

// marker is the number of bytes before and after the text, by which programs find it (cmd/go, modload.ModInfoData).
const marker = 16

func (m *modinfo) read(quoted string) error {
	text, err := strconv.Unquote(quoted)
	if err != nil || len(text) < 2*marker {
		return errors.New(`build: "go build -n" prints no modinfo`)
	}
	*m = modinfo{begin: text[:marker], end: text[len(text)-marker:]}
	for line := range strings.Lines(text[marker : len(text)-marker]) {
		switch {
		case strings.HasPrefix(line, "dep\t"):
			m.deps = append(m.deps, line)
		case strings.HasPrefix(line, "=>\t") && m.deps != nil:
			m.deps[len(m.deps)-1] += line
		case m.deps == nil:
			m.before = append(m.before, line)
		default:
			m.after = append(m.after, line)
		}
	}
	return nil
}

// of returns the line for a program that is linked from some of the modules.
func (m *modinfo) of(modules map[string]bool) string {
	text := m.begin + strings.Join(m.before, "")
	for _, line := range m.deps {
		if modules[strings.Split(line, "\t")[1]] {
			text += line
		}
	}
	return "modinfo " + strconv.Quote(text+strings.Join(m.after, "")+m.end) + "\n"
}
