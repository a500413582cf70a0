package site

import (
	"strings"
	"testing"
)

// The code of a cell can be folded, with the number of its lines. What its author folds stays as MyST-NB makes it, and a
// page without cells has no switch.
func TestFolding(t *testing.T) {
	const code = "<div class=\"cell_input docutils container\">\n<div class=\"highlight-go notranslate\"><div class=\"highlight\"><pre><span class=\"lines\" style=\"--lines:2;--columns:9\"><span></span>a\nb\n</span></pre></div></div>\n</div>\n"
	const own = "<div class=\"cell docutils container\" id=\"cell-id=a\">\n" + code + "</div>"
	const folded = "<div class=\"cell tag_hide-input docutils container\" id=\"cell-id=b\">\n<details class=\"admonition hide above-input\">\n" + code + "</details>\n</div>"
	got := string(folding([]byte("<h1>T</h1>\n" + own + folded)))
	want := "<h1>T</h1>\n" + codeSwitch + "<div class=\"cell docutils container\" id=\"cell-id=a\">\n<details class=\"code\" open><summary><span>Code, 2 lines</span></summary>\n" + code + "</details>\n</div>" + folded
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for of, want := range map[string]string{"%test\nfunc TestA(t *testing.T) {}": "Check, 2 lines", "// YOUR CODE HERE\npanic(1)": "Your answer, 2 lines", "// %test\nx": "Code, 2 lines"} {
		cell := strings.Replace(own, "a\nb\n", of+"\n", 1)
		if got := string(folding([]byte("<h1>T</h1>\n" + cell))); !strings.Contains(got, "<summary><span>"+want+"</span>") {
			t.Errorf("the code %q is not called %q: %s", of, want, got)
		}
	}
	if got := string(folding([]byte("<h1>T</h1>\n" + folded))); strings.Contains(got, "show-code") {
		t.Errorf("a page whose only cell is folded has a switch: %s", got)
	}
}
