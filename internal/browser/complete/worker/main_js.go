// Worker is package complete as a program in the worker of a kernel, whose scripts start it and define
// marginaliaHost: completer gets the function that answers.
package main

import (
	"encoding/json"
	"syscall/js"

	"marginalia/internal/browser/complete"
	"marginalia/internal/browser/kernel"
)

func main() {
	c := complete.New()
	answer := js.FuncOf(func(_ js.Value, args []js.Value) any {
		question, inspect, done := args[0].String(), args[1].Bool(), args[2]
		go func() { // it reads files, for which a call from JavaScript must not wait
			var q kernel.Question
			if err := json.Unmarshal([]byte(question), &q); err != nil {
				panic("complete: " + err.Error()) // the kernel wrote it
			}
			if inspect {
				done.Invoke(c.Inspect(q))
				return
			}
			text, err := json.Marshal(c.Complete(q))
			if err != nil {
				panic("complete: " + err.Error()) // names can be marshalled
			}
			done.Invoke(string(text))
		}()
		return nil
	})
	js.Global().Get("marginaliaHost").Call("completer", answer)
	select {}
}
