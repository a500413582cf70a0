package grade_test

import (
	"strings"
	"testing"

	"marginalia/internal/course/grade"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// A test that the solution passes when the assignment is first judged, and not each time, is not released.
func TestRepeated(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	const passes = "%test\nfunc TestThree(t *testing.T) {\n\tif Three() != \"three\" {\n\t\tt.Error(\"it is not three\")\n\t}\n}"
	for name, c := range map[string]struct{ given, test, want string }{
		"passes": {"import \"testing\"\n\nfunc Given(x int) int { return x + 1 }", passes, ""},
		"only the first in a process": {"import (\"os\"; \"testing\")\n\nfunc Given(x int) int { return x + 1 }",
			"%test\nfunc TestThree(t *testing.T) {\n\tif Three() != \"three\" || os.Getenv(\"MARGINALIA_SEEN\") != \"\" {\n\t\tt.Error(\"seen\")\n\t}\n\tos.Setenv(\"MARGINALIA_SEEN\", \"1\")\n}",
			"the solution fails TestThree 18 times of 20, and students' right answers would: TestThree: cell three-test, line 4: seen"},
		"follows the clock": {"import (\"testing\"; \"time\")\n\nfunc Given(x int) int { return x + 1 }",
			"%test\nfunc TestThree(t *testing.T) {\n\tbegun := time.Now()\n\tif Three() != \"three\" || time.Since(begun) > time.Minute {\n\t\tt.Error(\"it is not three\")\n\t}\n}",
			"cell three-test, line 4: time.Since follows the clock, and a mark must not depend on how busy the machine is: use time.After, which counts the processor's time while an answer runs"},
	} {
		t.Run(name, func(t *testing.T) {
			source := notebook(t, map[string]string{"given": c.given, "three-test": c.test})
			stub := notebook(t, map[string]string{"given": c.given, "three-test": c.test, "one": "func One(x int) int { panic(\"not implemented\") }", "two": "func Two(x int) int { panic(\"not implemented\") }", "three": "func Three() string { panic(\"not implemented\") }"})
			b := &grade.Builder{Root: root(t)}
			err := b.Gate(t.Context(), source, stub, grade.Settings{TimeFactor: 20, Memory: 64 << 20}, nil)
			got := ""
			if err != nil {
				got = strings.TrimPrefix(err.Error(), "grade: ")
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
