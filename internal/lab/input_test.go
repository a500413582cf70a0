package lab

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/lab/labtest"
)

// input runs a program that reads two lines and asks for a third: JupyterLab shows its input
// box for each. After an interrupt of a waiting program the next cell runs.
func (r *room) input(t *testing.T) {
	const box = `.jp-Stdin-input`
	d := r.open(t, "input.ipynb",
		"import (\n\t\"bufio\"\n\t\"fmt\"\n\t\"os\"\n\n\t\"github.com/janpfeifer/gonb/gonbui\"\n)\n\n%%\nvar name string\nfmt.Scanln(&name)\n"+
			"s := bufio.NewScanner(os.Stdin)\ns.Scan()\ngonbui.RequestInput(\"town\", false)\nline := s.Text()\ns.Scan()\nfmt.Printf(\"%s|%s|%s\\n\", name, line, s.Text())",
		"%%\nfmt.Scanln()",
		"%%\nfmt.Println(\"after\")")
	d.run(0)
	for _, line := range []string{"Ada", "two words", "Málaga"} {
		d.wait("the input box", `document.querySelector('`+box+`')`)
		d.do("typing a line", chromedp.SendKeys(chromedp.CSS(box), line+kb.Enter))
		d.wait("the box to go", `![...document.querySelectorAll('`+box+`')].some(box => box.value === '`+line+`')`)
	}
	d.wait("the first cell", ran(0)+" && "+idle)
	d.run(1)
	d.wait("the input box", `document.querySelector('`+box+`')`)
	labtest.Choose(d.ctx, t, "Kernel", "kernelmenu:interrupt")
	d.wait("the interrupted cell", ran(1)+" && "+idle)
	d.run(2)
	d.wait("the cell after it", ran(2)+" && "+idle)
	nb := d.saved()
	if got := printedBy(nb, 0); !strings.HasSuffix(got, "Ada|two words|Málaga\n") {
		t.Errorf("the cell printed %q", got)
	}
	if got := printedBy(nb, 2); got != "after\n" {
		t.Errorf("the cell after the interrupt printed %q", got)
	}
}
