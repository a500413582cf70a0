//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/testkit/must"
)

// ask sends a cell with other fields than execute does.
func (p *peer) ask(code string, more map[string]any) (id string) {
	p.t.Helper()
	content := map[string]any{"code": code}
	for field, value := range more {
		content[field] = value
	}
	b := must.Get(json.Marshal(content)).Or(p.t)
	return p.send(jupyter.Shell, "execute_request", string(b))
}

// After an error and after an interrupt the cells that wait are aborted, as in ipykernel: they
// are not counted, and nothing is published of them but that the kernel was busy. A cell that
// is not to stop others, or is silent, stops none. The cell that is asked for next runs.
func TestAbort(t *testing.T) {
	p := connect(t, serveFake(t))
	count := 0
	for name, c := range map[string]struct {
		first   string
		more    map[string]any
		aborted bool
	}{
		"error":                    {"fail", nil, true},
		"error that stops":         {"fail", map[string]any{"stop_on_error": true}, true},
		"error that is expected":   {"fail", map[string]any{"stop_on_error": false}, false},
		"silent error":             {"fail", map[string]any{"silent": true}, false},
		"panic":                    {"crash", nil, true},
		"success":                  {"print 1", nil, false},
		"interrupt":                {"wait", nil, true},
		"interrupt that ends well": {"heed", nil, true},
		"interrupt, expected":      {"wait", map[string]any{"stop_on_error": false}, true},
		"death":                    {"die", nil, true},
		"death that is expected":   {"die", map[string]any{"stop_on_error": false}, false},
	} {
		before := p.ask("ask", nil) // so that all the others wait
		count++
		p.until("input_request", before)
		first := p.ask(c.first, c.more)
		var behind []string
		for _, more := range []map[string]any{nil, {"silent": true}, {"stop_on_error": false}, nil} {
			behind = append(behind, p.ask("print 2", more))
		}
		p.until("is_complete_reply", p.send(jupyter.Shell, "is_complete_request", `{}`))
		p.send(jupyter.Stdin, "input_reply", `{"value":""}`)
		if c.more["silent"] != true {
			count++
		}
		if c.first == "wait" || c.first == "heed" {
			p.until("execute_input", first)
			p.send(jupyter.Control, "interrupt_request", `{}`)
		}
		if c.first == "die" {
			p.until("execute_input", first)
			p.send(jupyter.Shell, "comm_msg", `{"comm_id":"x"}`)
		}
		if text, reply := p.ends(first); reply["status"] == "aborted" {
			t.Errorf("%s: the first cell shows %q and has the reply %v", name, text, reply)
		}
		for i, id := range behind {
			text, reply := p.ends(id)
			switch {
			case c.aborted:
				if text != "" || fmt.Sprint(reply) != "map[status:aborted]" {
					t.Errorf("%s: cell %d behind it shows %q and has the reply %v", name, i, text, reply)
				}
			default:
				if i != 1 { // the silent one
					count++
				}
				if text != "xx" || reply["status"] != "ok" || reply["execution_count"] != float64(count) {
					t.Errorf("%s: cell %d behind it shows %q and has the reply %v, want the count %d", name, i, text, reply, count)
				}
			}
		}
		count++
		if text, reply := p.ends(p.execute("print 3")); text != "xxx" || reply["execution_count"] != float64(count) {
			t.Errorf("%s: the next cell shows %q and has the reply %v, want the count %d", name, text, reply, count)
		}
	}
}

// A request that was made before its client could have the reply that stops is aborted also when it comes after it, and
// one that may have been made later is not.
func TestAbortWhatComesLate(t *testing.T) {
	p := connect(t, serveFake(t))
	made := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) // its clock may be slow
	for _, c := range []struct {
		name, first, date string
		aborted           bool
	}{
		{"after a success", "print 1", "2026-01-02T03:04:04Z", false},
		{"in the same second", "fail", "2026-01-02T03:04:04.999Z", true},
		{"in another zone", "fail", "2026-01-02T04:04:04+01:00", true},
		{"an hour later", "fail", "2026-01-02T04:04:05Z", false},
		{"without a zone", "fail", "2026-01-02T03:04:04", false},
		{"without a date", "fail", "-", false},
	} {
		p.date = made.Format(time.RFC3339)
		p.ends(p.ask(c.first, nil))
		p.date = c.date
		text, reply := p.ends(p.ask("print 2", nil))
		if c.aborted != (reply["status"] == "aborted") || c.aborted != (text == "") {
			t.Errorf("%s: the cell behind shows %q and has the reply %v, want aborted %t", c.name, text, reply, c.aborted)
		}
		p.date = "2027-01-01T00:00:00Z"
		p.ends(p.ask("print 1", nil))
	}
}

// A client whose clock is set back after an error, or whose dates are all the same, is not aborted for long.
func TestLateEnds(t *testing.T) {
	now := time.Now()
	r := &request{Message: jupyter.Message{Header: jupyter.Header{Session: "a", Date: now.Add(-time.Hour).Format(time.RFC3339)}}}
	for ago, want := range map[time.Duration]bool{0: true, late: false} {
		if s := (stop{"a", now, now.Add(-ago)}); s.before(r) != want {
			t.Errorf("%v after the error a request made before is aborted: %t, want %t", ago, !want, want)
		}
	}
}
