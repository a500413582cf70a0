//go:build browser

package editor_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/browser/editor"
	"marginalia/internal/install/venv"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// The editor is made of its sources alone: twice, from two empty caches, the same bytes come. From the cache it is
// written without Node.js. The licences name each package that is in it.
func TestWrite(t *testing.T) {
	tier.Browser(t)
	program, npm, err := venv.Node(t.Context())
	must.Do(t, err)
	node := func(context.Context) (editor.Node, error) { return editor.Node{Program: program, NPM: npm}, nil }
	none := func(context.Context) (editor.Node, error) { return editor.Node{}, errors.New("Node.js is asked for") }
	var first map[string]string
	for range 2 {
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		must.Do(t, editor.Write(t.Context(), t.TempDir(), node))
		dir := t.TempDir()
		must.Do(t, editor.Write(t.Context(), dir, none))
		files := map[string]string{}
		for _, name := range []string{"editor.js", "editor.LICENSE.txt"} {
			files[name] = string(must.Get(os.ReadFile(filepath.Join(dir, name))).Or(t))
		}
		if first == nil {
			first = files
		}
		for name, text := range files {
			if text != first[name] {
				t.Errorf("%s differs between two builds", name)
			}
		}
	}
	t.Logf("editor.js has %d bytes", len(first["editor.js"]))
	if !strings.HasPrefix(first["editor.js"], "/*! With CodeMirror and its parts, see editor.LICENSE.txt */\n") {
		t.Errorf("editor.js begins with %.80q", first["editor.js"])
	}
	var named []string
	for line := range strings.Lines(first["editor.LICENSE.txt"]) {
		if name, version, ok := strings.Cut(strings.TrimSpace(line), " "); ok && strings.Count(version, ".") == 2 && !strings.Contains(version, " ") {
			named = append(named, name)
		}
	}
	// What CodeMirror's packages import, and they themselves: esbuild's list of inputs, read by hand.
	want := strings.Fields("@codemirror/commands @codemirror/language @codemirror/state @codemirror/streamparser @codemirror/view @lezer/common @lezer/highlight " +
		"@marijn/find-cluster-break style-mod w3c-keyname")
	if !slices.Equal(named, want) || strings.Count(first["editor.LICENSE.txt"], "Permission is hereby granted") != len(want) {
		t.Errorf("the licences are of %q, want %q", named, want)
	}
}

// Without a registry the error says what to do.
func TestNoRegistry(t *testing.T) {
	tier.Browser(t)
	program, npm, err := venv.Node(t.Context())
	must.Do(t, err)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("npm_config_registry", "http://127.0.0.1:1/")
	t.Setenv("npm_config_cache", t.TempDir())
	t.Setenv("npm_config_fetch_retries", "0")
	err = editor.Write(t.Context(), t.TempDir(), func(context.Context) (editor.Node, error) { return editor.Node{Program: program, NPM: npm}, nil })
	if err == nil || !strings.Contains(err.Error(), "npm's registry cannot be reached") || !strings.Contains(err.Error(), "npm_config_registry") {
		t.Errorf("the error is %v", err)
	}
}
