//go:build unix

package main

import "marginalia/internal/jupyter"

// withLanguage completes what GoNB says of its language in a kernel_info_reply: it names no
// lexer, so that pages take cells for Python, and the version with the patch, which would
// change notebooks with each update of Go. What stands here JupyterLab and nbclient write
// into each notebook.
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
