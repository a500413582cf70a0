package site

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// measured writes the size of each block of code into it: the stylesheet has a browser lay it out
// only near the window, and keeps its place free until then.
func measured(page []byte) []byte {
	return code.ReplaceAllFunc(page, func(block []byte) []byte {
		inside := code.FindSubmatch(block)[1]
		text := strings.TrimSuffix(html.UnescapeString(string(tag.ReplaceAll(inside, nil))), "\n")
		lines, columns := 0, 0
		for line := range strings.SplitSeq(text, "\n") {
			lines, columns = lines+1, max(columns, width(line))
		}
		return fmt.Appendf(nil, `<pre><span class="lines" style="--lines:%d;--columns:%d">%s</span></pre>`, lines, columns, inside)
	})
}

// width is the number of columns of a line with tabs at every fourth.
func width(line string) (columns int) {
	for _, r := range line {
		if columns++; r == '\t' {
			columns = (columns + 3) / 4 * 4
		}
	}
	return columns
}

var (
	code = regexp.MustCompile(`(?s)<pre>(<span></span>.*?)</pre>`)
	tag  = regexp.MustCompile(`<[^>]*>`)
)
