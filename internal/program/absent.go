package program

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// missing notes that a program needs a package whose module go.mod does not
// require, or a declaration of a cell that does. On the kernel, which fetches
// modules while it builds, such a cell may well run; a test uses what go.mod
// and go.sum pin, and says what to add to them.
func (c *Checker) missing(s *Session, p *Program) {
	if p.Compiles {
		for name := range p.Own.Names() {
			delete(s.lost, name)
		}
		return
	}
	for _, key := range slices.Sorted(maps.Keys(p.Decls.Imports)) {
		i := p.Decls.Imports[key]
		if !c.absent[i.Path] {
			continue
		}
		where := "it uses"
		if len(i.At) > 0 && i.At[0].Cell == p.ID {
			where = fmt.Sprintf("line %d:", i.At[0].Line+1)
		}
		p.Missing = append(p.Missing, fmt.Sprintf(
			"%s package %s, whose module go.mod does not require: run `go get %s` in %s (the kernel fetches modules by itself, tests take those that go.mod pins)",
			where, i.Path, i.Path, c.root))
	}
	if p.Missing != nil {
		for name := range p.Own.Names() {
			s.lost[name] = p.ID
		}
		return
	}
	for _, e := range p.Errors {
		name, undefined := strings.CutPrefix(e.Msg, "undefined: ")
		if id := s.lost[name]; undefined && id != "" {
			text := fmt.Sprintf("it uses %s of cell %s, which could not be built: a module is missing, see there", name, id)
			if !slices.Contains(p.Missing, text) {
				p.Missing = append(p.Missing, text)
			}
		}
	}
}
