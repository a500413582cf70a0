package setup

import (
	"fmt"
	"regexp"
	"strings"
)

// unreachable finds in the output of go, pip or npm that no server answered, and what was said.
var unreachable = regexp.MustCompile(`(?i)dial tcp[^"\n]*|lookup [^"\n]*no such host|proxyconnect[^"\n]*|network is unreachable|` +
	`connection refused|name or service not known|temporary failure in name resolution|nodename nor servname[^)'"\n]*|` +
	`i/o timeout|read timed out|connect timeout|connection timed out|tls handshake timeout|could not resolve host[^"\n]*|` +
	`module lookup disabled by GOPROXY=off|failed to connect[^"\n]*|cannot connect to proxy|\bE(?:CONNREFUSED|CONNRESET|NOTFOUND|AI_AGAIN|TIMEDOUT)\b`)

var noSpace = regexp.MustCompile(`(?i)no space left on device|disk quota exceeded`)

// DiskFull is what [Cause] says of a full disk.
const DiskFull = "the disk is full: free some space and start again"

// Cause condenses what a failed go, pip or npm printed to one clause with its
// remedy, if the disk or the network is at fault: that of the server, whose
// address the environment variable has. Else it returns "".
func Cause(output, server, variable string) string {
	if noSpace.MatchString(output) {
		return DiskFull
	}
	m := strings.TrimSpace(unreachable.FindString(output))
	if m == "" {
		return ""
	}
	if len(m) > 120 {
		m = m[:120] + "…"
	}
	return fmt.Sprintf("%s cannot be reached (%s): connect to the network, or set %s to one that answers, and start again", server, m, variable)
}

// Last is what a failed program said when the cause is not a known one: up to
// three lines that begin with mark, in small or capital letters, or the last
// line, or err.
func Last(output string, err error, mark string) string {
	var marked []string
	last := err.Error()
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if len(line) >= len(mark) && strings.EqualFold(line[:len(mark)], mark) && len(marked) < 3 {
			marked = append(marked, strings.TrimSpace(line[len(mark):]))
		}
		if line != "" {
			last = line
		}
	}
	if marked != nil {
		return strings.Join(marked, "; ")
	}
	return last
}
