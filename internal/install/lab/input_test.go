//go:build browser

package lab

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
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

// carriageReturns saves what a program prints with \r and \b, and runs nothing again: as
// JupyterLab shows and stores it, it is what Go tests compare with.
func (r *room) carriageReturns(t *testing.T) {
	const code = "import (\n\t\"fmt\"\n\t\"os\"\n\t\"time\"\n)\n\n%%\nfor i := range 5 {\n\tfmt.Printf(\"\\rstep %d\", i)\n\tfmt.Fprintf(os.Stderr, \"\\r%d%%\", 20*i+20)\n\ttime.Sleep(50 * time.Millisecond)\n}\n" +
		"fmt.Print(\"\\r\\n50%\\r7\\nabcdef\\rab\\bX\\n\")"
	d := r.open(t, "progress.ipynb", code)
	d.run(0)
	d.wait("the cell", ran(0)+" && "+idle)
	saved := d.saved()
	got := printedBy(saved, 0)
	if strings.ContainsAny(got, "\r\b") || !strings.Contains(got, "step 4") || !strings.Contains(got, "\n70%\naXef\n") { // stderr may lie between
		t.Errorf("JupyterLab stored %q", got)
	}
	raw := []nbformat.Output{{Type: "stream", Name: "stdout", Text: "\rstep 0\rstep 1\rstep 2\rstep 3\rstep 4\r\n50%\r7\nabcdef\rab\bX\n"},
		{Type: "stream", Name: "stderr", Text: "\r20%\r40%\r60%\r80%\r100%"}}
	for _, d := range outputs.Compare(saved.Cells[0].Outputs, raw, outputs.Options{}) {
		t.Error(d)
	}
}
