package lab

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"syscall"
)

// faultf makes the error of something missing or at fault: one sentence that ends in the remedy.
func faultf(format string, args ...any) error {
	return fmt.Errorf("lab: "+format, args...)
}

// unreachable finds in the output of go or pip that no server answered, and what was said.
var unreachable = regexp.MustCompile(`(?i)dial tcp[^"\n]*|lookup [^"\n]*no such host|proxyconnect[^"\n]*|network is unreachable|` +
	`connection refused|name or service not known|temporary failure in name resolution|nodename nor servname[^)'"\n]*|` +
	`i/o timeout|read timed out|connect timeout|connection timed out|tls handshake timeout|could not resolve host[^"\n]*|` +
	`module lookup disabled by GOPROXY=off|failed to connect[^"\n]*|cannot connect to proxy`)

var noSpace = regexp.MustCompile(`(?i)no space left on device|disk quota exceeded`)

// goCause condenses what a failed go command printed to one clause with its remedy.
func goCause(output string, err error) string {
	if noSpace.MatchString(output) {
		return "the disk is full: free some space and start again"
	}
	if m := unreachable.FindString(output); m != "" {
		return fmt.Sprintf("the Go module proxy cannot be reached (%s): connect to the network, or set GOPROXY to a proxy that answers, and start again", clip(m))
	}
	return lastLines(output, err, "go:")
}

// pipCause condenses what a failed pip printed to one clause with its remedy.
func pipCause(output string, err error) string {
	if noSpace.MatchString(output) {
		return "the disk is full: free some space and start again"
	}
	if m := unreachable.FindString(output); m != "" {
		return fmt.Sprintf("the Python package registry cannot be reached (%s): connect to the network, or set PIP_INDEX_URL to a registry that answers, and start again", clip(m))
	}
	if strings.Contains(output, "DO NOT MATCH THE HASHES") {
		return "the registry serves a file that is not the one pinned (its hash differs): use another registry (PIP_INDEX_URL)"
	}
	if i := strings.Index(output, "No matching distribution found for "); i >= 0 {
		name, _, _ := strings.Cut(output[i+len("No matching distribution found for "):], "\n")
		name, _, _ = strings.Cut(name, " ")
		return fmt.Sprintf("the registry has no %s built for this Python: set MARGINALIA_PYTHON to a Python of 3.10 to 3.14, or PIP_INDEX_URL to a complete registry", name)
	}
	return lastLines(output, err, "ERROR:")
}

// lastLines is what remains when the cause is not a known one: the lines that
// begin with mark, or the last one.
func lastLines(output string, err error, mark string) string {
	var marked []string
	last := ""
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, mark); ok && len(marked) < 3 {
			marked = append(marked, strings.TrimSpace(rest))
		}
		if line != "" {
			last = line
		}
	}
	switch {
	case len(marked) > 0:
		return strings.Join(marked, "; ")
	case last != "":
		return last
	}
	return err.Error()
}

func clip(s string) string {
	if s = strings.TrimSpace(s); len(s) > 120 {
		return s[:120] + "…"
	}
	return s
}

// fileCause says "the disk is full" for the error that means it, and the error itself otherwise.
func fileCause(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return errors.New("the disk is full: free some space and start again")
	}
	return err
}
