package mnistfiles_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/mnistfiles"
	"marginalia/internal/testkit/must"
)

// abc is a file with the content "abc"; its sum is the example in FIPS 180-4.
var abc = mnistfiles.File{Name: "abc", Size: 3, Sum: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}

func write(t *testing.T, path, content string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, []byte(content), 0o644))
}

func packed(content string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(content))
	w.Close()
	return b.String()
}

func TestInstall(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"plain", "abc", ""},
		{"compressed", packed("abc"), ""},
		{"other content", "abd", "SHA-256"},
		{"too long", "abcd", "SHA-256"},
		{"too short", packed("ab"), "SHA-256"},
		{"cut short", packed("abc")[:24], "damaged after 3 bytes"},
		{"empty", "", "SHA-256"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			source, cache := filepath.Join(dir, "source"), filepath.Join(dir, "new", "cache")
			write(t, source, tt.content)
			err := abc.Install(cache, source)
			content, readErr := abc.Read(source)
			if tt.want == "" {
				if err != nil || readErr != nil || string(content) != "abc" || !abc.Cached(cache) {
					t.Errorf("Install: %v; Read: %q, %v; Cached: %v", err, content, readErr, abc.Cached(cache))
				}
				return
			}
			for _, err := range []error{err, readErr} {
				if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), source) {
					t.Errorf("error %v, want %q and the path", err, tt.want)
				}
			}
			if entries, _ := os.ReadDir(cache); len(entries) > 0 || abc.Cached(cache) {
				t.Errorf("%v is left in the cache", entries)
			}
		})
	}
	if err := abc.Install(t.TempDir(), "none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing source: %v", err)
	}
}

// Files are added from the least preferred place to the most preferred, and each new one
// must be found.
func TestFind(t *testing.T) {
	data, cache := t.TempDir(), t.TempDir()
	t.Setenv("MARGINALIA_DATA", data)
	if path, ok := abc.Find(cache); ok {
		t.Fatalf("found %s", path)
	}
	for _, path := range []string{
		filepath.Join(cache, "abc.gz"),
		filepath.Join(data, "abc.gz"),
		filepath.Join(data, "abc"),
		filepath.Join(data, "mnist", "abc.gz"),
		filepath.Join(data, "mnist", "abc"),
	} {
		write(t, path, "abc")
		if got, ok := abc.Find(cache); !ok || got != path {
			t.Errorf("found %q, want %q", got, path)
		}
	}
	t.Setenv("MARGINALIA_DATA", "")
	if got, _ := abc.Find(cache); got != filepath.Join(cache, "abc.gz") {
		t.Errorf("without the variable: %q", got)
	}
}
