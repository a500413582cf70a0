package kernel_test

import (
	"testing"

	"marginalia/internal/browser/kernel"
	"marginalia/internal/browser/kernel/kerneltest"
)

// The last expression of a cell shows itself in a page, unless the page has no package that shows it.
func TestLast(t *testing.T) {
	for _, tt := range []struct {
		packages []string
		source   string
		want     string
		ok       bool
	}{
		{[]string{"flag", "strings", "marginalia/show"}, "%%\nx := 3\nx + 4", "7", true},
		{[]string{"flag", "strings", "marginalia/show"}, "%%\nstrings.ToUpper(\"a\")", "A", true},
		{[]string{"flag", "marginalia/show", "marginalia/timing"}, "%%time\n1 + 2", "3", true},
		{[]string{"flag", "marginalia/show", "marginalia/timing"}, "%%bench\nx := 4\nx", "4", true}, // of its first run
		{[]string{"flag", "strings"}, "%%\nstrings.ToUpper(\"a\")", "", true},
		{[]string{"flag", "strings"}, "%%\n3 + 4", "", false},
	} {
		got := ""
		k := kerneltest.New(t, tt.packages...)
		ok, _ := k.Execute(kernel.Cell{ID: "cell", Source: tt.source}, func(o kernel.Output) {
			if text, is := o.Data["text/plain"].(string); is {
				got += text
			}
		})
		if got != tt.want || ok != tt.ok {
			t.Errorf("%s\nshows %q and ends well: %v; want %q and %v", tt.source, got, ok, tt.want, tt.ok)
		}
	}
}
