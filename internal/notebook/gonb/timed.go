package gonb

import "strings"

// timed says what %%time and %%bench as the first line of a cell amount to: the line itself, and a line
// below the cell. Every other line keeps its place. No cell declares what the package is called here.
var timed = map[string][2]string{
	"%%time":  {`import marginalia_timing "marginalia/timing"; func main() { defer marginalia_timing.Start()()`, "}"},
	"%%bench": {`import marginalia_timing "marginalia/timing"; func main() { marginalia_timing.Repeat(func() {`, "}) }"},
}

// Timed returns the cell that GoNB gets for one that begins with %%time or %%bench, which GoNB does not
// know, and any other as it is. Blank lines may stand before the command, as in IPython.
func Timed(source string) string {
	lead := source[:strings.LastIndexByte(source[:len(source)-len(strings.TrimLeft(source, " \t\r\n"))], '\n')+1]
	first, rest, more := strings.Cut(source[len(lead):], "\n")
	around, ok := timed[strings.TrimRight(trimPrefix(first), " \t\r")]
	if !ok {
		return source
	}
	if more {
		rest += "\n"
	}
	return around[0] + strings.Repeat("\n", strings.Count(lead, "\n")+1) + rest + around[1]
}

// Times reports whether an import is the one that Timed writes.
func (i *Import) Times() bool { return i.Alias == "marginalia_timing" && i.Path == "marginalia/timing" }
