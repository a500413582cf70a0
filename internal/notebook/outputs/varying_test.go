package outputs

import (
	"strings"
	"testing"
)

func TestVarying(t *testing.T) {
	other := []Difference{{What: "stdout", Want: "1", Got: "2"}}
	for source, want := range map[string]string{
		"id := gonbui.UniqueID()":                  "UniqueID",
		"fmt.Println(time.Now())":                  "the time",
		"fmt.Println(rand.IntN(1000))":             "a seed",
		"fmt.Printf(\"%p\", &x)":                   "%p",
		"fmt.Println(os.Getpid())":                 "process ids",
		"rng := rand.New(rand.NewPCG(1, 0))":       "",
		"fmt.Println(rng.IntN(3), time.Second)":    "",
		"for k := range m { fmt.Print(k, \" \") }": "",
	} {
		got := strings.Join(Varying(source, other), "\n")
		if want == "" && got != "" || !strings.Contains(got, want) || want != "" && !strings.Contains(got, "nbval-ignore-output") {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
		if same := Varying(source, nil); same != nil {
			t.Errorf("%s, without a difference: %q", source, same)
		}
	}
	order := []Difference{{What: "stdout", Want: "a b c", Got: "b c a"}}
	if got := Varying("for k := range m {", order); len(got) != 1 || !strings.Contains(got[0], "sort its keys") {
		t.Errorf("a map's order: %q", got)
	}
}
