// Worker is the kernel as the program of a worker in a page. The scripts of internal/browser/page
// start it, and are its host: they define marginaliaHost and get marginaliaKernel.
package main

import (
	"encoding/json"
	"errors"
	"os"
	"syscall/js"

	"marginalia/internal/browser/kernel"
	"marginalia/internal/browser/manifest"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	m, err := manifest.Read(text)
	if err != nil {
		panic(err)
	}
	k := kernel.New(host{js.Global().Get("marginaliaHost")}, m, os.Args[2])
	// The page sends one cell or question at a time.
	execute := js.FuncOf(func(_ js.Value, args []js.Value) any {
		c, show, done := kernel.Cell{ID: args[0].String(), Source: args[1].String(), Above: texts(args[2]), Unnumbered: args[3].Bool()}, args[4], args[5]
		if ask := args[6]; ask.Truthy() {
			c.Ask = func(prompt string, password bool) { ask.Invoke(prompt, password) }
		}
		go func() {
			ok, count := k.Execute(c, func(o kernel.Output) { show.Invoke(stored(o)) })
			done.Invoke(ok, count)
		}()
		return nil
	})
	ask := js.FuncOf(func(_ js.Value, args []js.Value) any {
		cell, at, inspect, done := args[0].String(), args[1].Int(), args[2].Bool(), args[3]
		go func() {
			q, ok, err := k.Ask(cell, at, inspect)
			if err != nil || !ok { // what can't be loaded is not offered
				done.Invoke(js.Null(), 0)
				return
			}
			text, err := json.Marshal(q)
			if err != nil {
				panic("kernel: " + err.Error()) // a question can be marshalled
			}
			done.Invoke(string(text), q.Prefix)
		}()
		return nil
	})
	typed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		// A message to the cell's worker, and nothing that waits.
		if line := args[0]; line.IsNull() {
			k.Type("", true)
		} else {
			k.Type(line.String(), false)
		}
		return nil
	})
	js.Global().Get("marginaliaHost").Call("ready", execute, ask, typed)
	select {}
}

// stored is an output as the page gets it: JSON as in a notebook, with the display id in transient.
func stored(o kernel.Output) string {
	v := map[string]any{"output_type": o.Type}
	switch o.Type {
	case "stream":
		v["name"], v["text"] = o.Name, o.Text
	case "error":
		v["ename"], v["evalue"], v["traceback"] = o.EName, o.EValue, o.Traceback
		v["marks"] = o.Marks
	default:
		v["data"], v["metadata"], v["transient"] = o.Data, o.Metadata, map[string]any{"display_id": o.ID}
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic("kernel: " + err.Error()) // it came as JSON
	}
	return string(text)
}

// A host is the worker.
type host struct{ js.Value }

func (h host) Load(files []manifest.File) (dir string, err error) {
	names := make([]any, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	v, err := await(h.Call("load", names))
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

func (h host) Work() string { return h.Get("work").String() }

func (h host) Tool(name string, args ...string) (said string, status int, err error) {
	v, err := await(h.Call("tool", name, list(args)))
	if err != nil {
		return "", 0, err
	}
	return v.Get("said").String(), v.Get("status").Int(), nil
}

func (h host) Begin(args ...string) { h.Call("begin", list(args)) }

func (h host) Start(p kernel.Process) (kernel.Running, error) {
	wrote := js.FuncOf(func(_ js.Value, args []js.Value) any {
		data := make([]byte, args[1].Length())
		js.CopyBytesToGo(data, args[1])
		p.Wrote(kernel.Stream(args[0].Int()), data)
		return nil
	})
	v, err := await(h.Call("start", p.File, list(p.Args), list(p.Env), p.Dir, wrote))
	if err != nil {
		wrote.Release()
		return nil, err
	}
	return running{v, wrote}, nil
}

type running struct {
	js.Value
	wrote js.Func
}

func (r running) Answer(data []byte) {
	bytes := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(bytes, data)
	r.Call("answer", bytes)
}

func (r running) Type(data []byte) {
	bytes := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(bytes, data)
	r.Call("type", bytes)
}

func (r running) Wait() (ended string) {
	defer r.wrote.Release()
	v, err := await(r.Get("ended"))
	if err != nil {
		return err.Error()
	}
	return v.String()
}

// texts are those of an array of JavaScript; nil if it is undefined.
func texts(array js.Value) []string {
	if array.IsUndefined() {
		return nil
	}
	list := make([]string, array.Length())
	for i := range list {
		list[i] = array.Index(i).String()
	}
	return list
}

func list(texts []string) []any {
	values := make([]any, len(texts))
	for i, text := range texts {
		values[i] = text
	}
	return values
}

// await waits for a promise.
func await(promise js.Value) (js.Value, error) {
	type result struct {
		value js.Value
		err   error
	}
	results := make(chan result, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		results <- result{args[0], nil}
		return nil
	})
	fail := js.FuncOf(func(_ js.Value, args []js.Value) any {
		results <- result{js.Undefined(), errors.New(args[0].Call("toString").String())}
		return nil
	})
	defer then.Release()
	defer fail.Release()
	promise.Call("then", then, fail)
	r := <-results
	return r.value, r.err
}
