//go:build unix

package buildserver

import (
	"path/filepath"
	"sync"

	"marginalia/internal/notebook/vet"
)

// A vetter has vet read the program of a cell while it is built and while it runs.
type vetter struct {
	mu    sync.Mutex
	found chan []vet.Finding // of the last program; nil if it was not read
}

// vet begins to read the program that a call builds. Programs of tests are read by "go test".
func (s *Server) vet(c Call) {
	s.vetter.mu.Lock()
	defer s.vetter.mu.Unlock()
	if !s.Vets || !c.builds() {
		return
	}
	s.vetter.found = nil
	files := programFiles(c.Dir)
	main := filepath.Join(c.Dir, "main.go")
	if c.Args[0] == "test" || files[main] == nil {
		return
	}
	texts, named := []string{string(files[main])}, map[string][]byte{}
	for file, text := range files {
		if named[filepath.Base(file)] = text; file != main {
			texts = append(texts, string(text))
		}
	}
	found := make(chan []vet.Finding, 1)
	s.vetter.found = found
	go func() {
		open := s.Builder.Archives(s.command(c), named)
		if open == nil {
			found <- nil
			return
		}
		found <- vet.Find(texts, open)
	}()
}

// Vetted returns what vet has found in the program that was built last. It is soon there, if it is not yet.
func (s *Server) Vetted() []vet.Finding {
	s.vetter.mu.Lock()
	found := s.vetter.found
	s.vetter.found = nil
	s.vetter.mu.Unlock()
	if found == nil {
		return nil
	}
	return <-found
}
