package shell

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The shell itself says what it makes of a word.
func TestQuote(t *testing.T) {
	words := []string{"a.ipynb", "my course/C++ & Go.ipynb", "it's", "50%", "$HOME", "*", "", "\"q\"", "`x`", "~", "#", "a\\b", "é", "a;b", "a\nb"}
	out, err := exec.Command("sh", "-c", "printf '%s\\0' "+Join(words)).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, words) {
		t.Errorf("the shell reads %q, want %q", got, words)
	}
	if got := Quote("notebooks/01-perceptron.ipynb"); got != "notebooks/01-perceptron.ipynb" {
		t.Errorf("%s is quoted without need", got)
	}
}
