package main

import (
	"encoding/json"
	"os"
	"strings"
	"syscall/js"
)

// main serves the sessions in a worker of a page, which defines the function marginaliaServe. Without
// that function, as in tests, the program runs as a command.
func main() {
	serve := js.Global().Get("marginaliaServe")
	if serve.IsUndefined() {
		os.Exit(command(os.Args[1:], os.Stdout, os.Stderr))
	}
	for _, p := range playgrounds {
		s := newSession(p)
		serve.Invoke(p.ID, js.FuncOf(func(_ js.Value, args []js.Value) any {
			go func() { args[1].Invoke(reply(s, args[0].String())) }() // a fit may let other events in meanwhile
			return nil
		}))
	}
	select {}
}

// reply returns the answer of a session to an event, both as JSON.
func reply(s *Session, event string) string {
	var e Event
	if err := json.Unmarshal([]byte(event), &e); err != nil {
		panic("play: the page sent " + err.Error())
	}
	var answer strings.Builder
	enc := json.NewEncoder(&answer)
	enc.SetEscapeHTML(false) // it would take six characters for each bracket of the SVG
	if err := enc.Encode(s.Handle(e)); err != nil {
		panic("play: " + err.Error()) // numbers and texts
	}
	return answer.String()
}
