package assignment

import "testing"

// A process of a compiler answers maxRequests requests. Then another takes its place.
func TestCompilerIsRenewed(t *testing.T) {
	nb := sheet([3]string{"own", "", "func One() int { return 1 }"})
	c := readSheet(t, nb).Compiler()
	defer c.Close()
	process := func() int {
		t.Helper()
		if _, err := c.Compile(t.Context(), nb, nil, nil, ""); err != nil {
			t.Fatal(err)
		}
		return c.cmd.Process.Pid
	}
	first := process()
	c.requests = maxRequests - 1
	if again := process(); again != first {
		t.Error("a process ends before its last request")
	}
	if next := process(); next == first || c.requests != 1 {
		t.Errorf("after %d requests the process stays: %d of them counted", maxRequests, c.requests)
	}
}
