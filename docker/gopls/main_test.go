package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The test's own program is gopls-server where it is started under that name: it
// greets with a message of its own, answers initialize with what it was sent, and
// then echoes the parameters of what it is asked.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "gopls-server" {
		os.Exit(m.Run())
	}
	in := bufio.NewReader(os.Stdin)
	_ = write(os.Stdout, []byte(`{"method":"window/logMessage","params":"early"}`))
	for {
		message, err := read(in)
		if err != nil {
			return
		}
		var request struct {
			ID             json.RawMessage
			Method, Params any
		}
		if err := json.Unmarshal(message, &request); err != nil {
			panic(err)
		}
		if request.ID == nil {
			continue
		}
		answer, err := json.Marshal(map[string]any{"id": request.ID, "result": []any{request.Method, request.Params, os.Getenv("GOGC")}})
		if err != nil {
			panic(err)
		}
		_ = write(os.Stdout, answer)
	}
}

// server is a gopls-server that writes to the file started when it is started.
func server(t *testing.T) (path, started string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path, started = filepath.Join(dir, "server"), filepath.Join(dir, "started")
	script := fmt.Sprintf("#!/bin/sh\necho >> %q\nexec %q\n", started, filepath.Join(dir, "gopls-server"))
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "gopls-server")); err != nil {
		t.Fatal(err)
	}
	return path, started
}

func TestServe(t *testing.T) {
	path, started := server(t)
	kernel, end := net.Pipe()
	done := make(chan error, 1)
	go func() {
		defer end.Close()
		done <- serve(end, path)
	}()
	from := bufio.NewReader(kernel)
	say := func(message string) {
		t.Helper()
		if err := write(kernel, []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	hear := func(want string) {
		t.Helper()
		got, err := read(from)
		if err != nil || string(got) != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":0}}`)
	hear(`{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}`)
	say(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	time.Sleep(100 * time.Millisecond)
	if _, err := os.Stat(started); err == nil {
		t.Error("gopls runs, and nobody has asked anything")
	}
	say(`{"jsonrpc":"2.0","id":2,"method":"textDocument/completion","params":"é"}`)
	hear(`{"method":"window/logMessage","params":"early"}`)
	hear(`{"id":2,"result":["textDocument/completion","é","30"]}`)
	say(`{"jsonrpc":"2.0","id":3,"method":"textDocument/hover"}`)
	hear(`{"id":3,"result":["textDocument/hover",null,"30"]}`)
	kernel.Close()
	// If gopls ran on after the end of the kernel, this would wait for ever.
	if err := <-done; err != nil && !strings.Contains(err.Error(), "closed pipe") {
		t.Error(err)
	}
}

// The kernel may end before anything was asked, and what is not LSP is an error.
func TestServeEnds(t *testing.T) {
	const greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
	frame := func(s string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s) }
	for sent, want := range map[string]string{
		"":                                   "",
		frame(greeting):                      "",
		frame(`{"id":1}`):                    "not the request initialize",
		"Content-Length: -1\r\n\r\n":         "want a number",
		"Content-Length: 9999999999\r\n\r\n": "want a number",
		"Content-Length: 9\r\n\r\n{}":        "unexpected EOF",
	} {
		kernel, end := net.Pipe()
		done := make(chan error, 1)
		go func() { done <- serve(end, "/nothing") }()
		go func() { _, _ = bufio.NewReader(kernel).ReadString(0) }()
		if _, err := kernel.Write([]byte(sent)); err != nil {
			t.Fatal(err)
		}
		kernel.Close()
		switch err := <-done; {
		case want == "" && err != nil && !strings.Contains(err.Error(), "closed pipe"):
			t.Errorf("%q: %v", sent, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", sent, err, want)
		}
	}
}

func TestSocket(t *testing.T) {
	if path, ok := socket([]string{"-listen", "unix;/tmp/x"}); !ok || path != "/tmp/x" {
		t.Errorf("%q, %v", path, ok)
	}
	for _, args := range [][]string{nil, {"version"}, {"-listen", ":37374"}} {
		if path, ok := socket(args); ok {
			t.Errorf("%q: %q", args, path)
		}
	}
}
