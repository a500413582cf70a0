package build

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A modinfo is the line of an importcfg with what debug.ReadBuildInfo says in the program: its
// path, its module, those that it is linked from, and the settings of the build.
type modinfo struct {
	Begin, End     string
	Deps, Settings []string // lines; a module has one, and another below it if it is replaced
}

// marker is the number of bytes before and after the text, by which programs find it (cmd/go, modload.ModInfoData).
const marker = 16

func (m *modinfo) read(quoted string) error {
	text, err := strconv.Unquote(quoted)
	if err != nil || len(text) < 2*marker {
		return errors.New(`build: "go build -n" prints no modinfo`)
	}
	*m = modinfo{Begin: text[:marker], End: text[len(text)-marker:]}
	for line := range strings.Lines(text[marker : len(text)-marker]) {
		switch kind, _, _ := strings.Cut(line, "\t"); kind {
		case "path":
		case "mod":
			if !strings.HasSuffix(line, "\t(devel)\t\n") {
				return fmt.Errorf("build: the program's module has a version: %q", line)
			}
		case "dep":
			m.Deps = append(m.Deps, line)
		case "=>", "\n": // below what is replaced
			m.Deps[len(m.Deps)-1] += line
		case "build":
			if strings.HasPrefix(line, "build\tvcs") {
				return errors.New("build: the go command stamps the program with the state of its repository")
			}
			m.Settings = append(m.Settings, line)
		default:
			return fmt.Errorf("build: modinfo has a line %q", line)
		}
	}
	return nil
}

// of returns the line for a program that is linked from some of the modules.
func (m *modinfo) of(at place, modules map[string]bool) string {
	text := m.Begin + "path\t" + at.program + "\nmod\t" + at.module + "\t(devel)\t\n"
	for _, line := range m.Deps {
		if modules[strings.Split(line, "\t")[1]] {
			text += line
		}
	}
	return "modinfo " + strconv.Quote(text+strings.Join(m.Settings, "")+m.End) + "\n"
}
