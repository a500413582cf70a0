package site

import (
	"bytes"
	"fmt"
	"regexp"
)

// folding has the code of a notebook's cells stand in a <details> each, and gives the page the switch that
// closes or opens them all. Without scripts all are open. What the author folds stays as it is.
func folding(page []byte) []byte {
	if !cellCode.Match(page) {
		return page
	}
	page = cellCode.ReplaceAllFunc(page, func(cell []byte) []byte {
		m := cellCode.FindSubmatch(cell)
		lines := "1 line"
		if n := string(m[3]); n != "1" {
			lines = n + " lines"
		}
		return fmt.Appendf(nil, "%s<details class=\"code\" open><summary><span>%s, %s</span></summary>\n%s</details>\n", m[1], partOf(m[2]), lines, m[2])
	})
	return bytes.Replace(page, []byte("</h1>\n"), []byte("</h1>\n"+codeSwitch), 1)
}

// partOf says what the code of a cell is to the reader of a page where it is hidden: an exercise asks to write into
// one cell and to run another.
func partOf(cell []byte) string {
	switch text := bytes.TrimSpace(tag.ReplaceAll(cell, nil)); {
	case bytes.HasPrefix(text, []byte("%test")):
		return "Check"
	case bytes.Contains(text, []byte("// YOUR CODE HERE")):
		return "Your answer"
	}
	return "Code"
}

// codeSwitch shows or hides the code of a page. Its script decides before the first cell is drawn: what the
// reader chose last, or else that a phone hides code. Until code.js has closed the cells, the stylesheet hides them.
const codeSwitch = `<p class="code-switch"><label><input type="checkbox" role="switch" id="show-code"> Show code</label></p>
<script>{
	let kept = null;
	try { kept = localStorage.getItem("marginalia-code"); } catch {}
	const shown = kept === null ? !matchMedia("(max-width: 46em)").matches : kept === "shown";
	document.getElementById("show-code").checked = shown;
	if (!shown) document.body.dataset.code = "hidden";
}</script>
`

// cellCode is the code of a cell that is not folded: what opens the cell, the code, and its lines as
// [measured] has counted them.
var cellCode = regexp.MustCompile(`(?s)(<div class="cell docutils container"[^>]*>\n)(<div class="cell_input docutils container">\n<div class="[^"]*"><div class="highlight"><pre><span class="lines" style="--lines:([0-9]+);.*?</pre></div>\s*</div>\n</div>\n)`)
