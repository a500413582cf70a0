//go:build unix

package main

import "marginalia/internal/kernel/jupyter"

// withLanguage replaces the language_info in a kernel_info_reply of GoNB. JupyterLab and
// nbclient write it into each notebook. GoNB's names no lexer, so pages would colour cells as
// Python, and it has the patch version of Go, so each update of Go would change notebooks.
func withLanguage(m jupyter.Message) jupyter.Message {
	var content map[string]any
	if m.Decode(&content) != nil {
		return m
	}
	content["language_info"] = jupyter.LanguageInfo()
	if edited, err := m.WithContent(content); err == nil {
		return edited
	}
	return m
}
