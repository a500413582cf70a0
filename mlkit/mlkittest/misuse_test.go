package mlkittest

import (
	"fmt"
	"strings"
	"testing"
)

// The calls stand for the functions of testdata/misused and panic with the given value.
func TestOfMisuse(t *testing.T) {
	with := func(v any) []func() { return []func(){func() {}, func() { panic(v) }} }
	never := []func(){func() {}}
	good := func() map[string][]func() {
		return map[string][]func(){
			"Good":       never,
			"Documented": with("misused: n = -1"),
			"Silent":     never,
			"Pair.First": with(fmt.Errorf("misused: half a pair")),
			"Double.Map": with("misused: n = -1"),
		}
	}
	if err := TestMisuse("testdata/misused", good()); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		name  string
		calls []func()
		want  string
	}{
		{"Good", with("misused: n = -1"), "mlkittest: call 1 of misused.Good panics: misused: n = -1; want an error"},
		{"Silent", with("misused: n = -1"), "mlkittest: call 1 of misused.Silent panics: misused: n = -1; want its doc comment to say so"},
		{"Documented", with("index out of range"), `mlkittest: call 1 of misused.Documented panics: index out of range; want a message that begins with "misused: "`},
		{"Pair.First", nil, "mlkittest: misused.Pair.First is exported, want a call of it"},
		{"hidden", never, "mlkittest: misused has no exported hidden"},
		{"secret.Exported", never, "mlkittest: misused has no exported secret.Exported"},
		{"Double.MarshalJSON", never, "mlkittest: misused has no exported Double.MarshalJSON"},
	} {
		calls := good()
		calls[c.name] = c.calls
		if err := TestMisuse("testdata/misused", calls); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	if err := TestMisuse("testdata/none", nil); err != nil {
		t.Errorf("a package without files has nothing to call: %v", err)
	}
	if err := TestMisuse("testdata", map[string][]func(){"F": never}); err == nil || !strings.Contains(err.Error(), "has no exported F") {
		t.Error(err)
	}
}
