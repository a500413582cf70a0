//go:build unix

package main

import "marginalia/internal/kernel/jupyter"

// withCode returns an execute_input with the code that the client has sent: that of a cell with %%time is
// another for GoNB.
func withCode(m jupyter.Message, code string) jupyter.Message {
	content := map[string]any{}
	if m.Decode(&content) != nil || content["code"] == code {
		return m
	}
	content["code"] = code
	edited, err := m.WithContent(content)
	if err != nil {
		return m
	}
	return edited
}
