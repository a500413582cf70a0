//go:build unix

package jupyter

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestMessageRoundTrip(t *testing.T) {
	h := Header{ID: newID(), Session: "session", Type: "execute_request"}
	parent := Header{ID: newID(), Session: "session", Type: "x"}
	sent, err := newMessage(h, parent, map[string]any{"code": "é"})
	if err != nil {
		t.Fatal(err)
	}
	frames := sent.Wire("key")
	m, err := Parse(Shell, append([][]byte{[]byte("identity")}, frames...), "key")
	if err != nil {
		t.Fatal(err)
	}
	if m.Header != h || m.Parent != parent || string(m.Content) != `{"code":"é"}` {
		t.Errorf("got %+v", m)
	}
	frames[5] = []byte(`{"code":"e"}`)
	if _, err := Parse(Shell, frames, "key"); err == nil || !strings.Contains(err.Error(), "signature") {
		t.Errorf("error %v for a message that was changed", err)
	}
	if _, err := Parse(Shell, frames[:4], "key"); err == nil {
		t.Error("no error for a message that was cut")
	}
	// A message without a parent has an empty dictionary for it: Messaging in Jupyter, "Parent header".
	if sent, err = newMessage(h, Header{}, struct{}{}); err != nil || string(sent.frames[3]) != "{}" {
		t.Errorf("no parent is written as %s, %v", sent.frames[3], err)
	}
}

// The signature of HMAC-SHA256 in the wire protocol is that of the four parts
// after one another: RFC 4231, test case 2, its text in four parts.
func TestSign(t *testing.T) {
	parts := [][]byte{[]byte("what do ya "), []byte("want "), []byte("for "), []byte("nothing?")}
	const want = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
	if got := string(sign(parts, "Jefe")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// GoNB never sends clear_output or execute_result, other kernels do. What is
// to become of them is from nbclient's client.py (process_message, clear_output).
func TestTake(t *testing.T) {
	k := &Kernel{results: map[string]*Result{"1": {}, "2": {}}, displays: map[string][]place{}}
	send := func(parent, kind, content string) {
		t.Helper()
		if err := k.take(Message{Header: Header{Type: kind}, Parent: Header{ID: parent}, Content: json.RawMessage(content)}); err != nil {
			t.Fatal(err)
		}
	}
	display := func(id, text string) string {
		return fmt.Sprintf(`{"data":{"text/plain":%q},"metadata":{},"transient":{"display_id":%q}}`, text, id)
	}
	shows := func(id, want string) {
		t.Helper()
		k.results[id].settle()
		var got []string
		for _, o := range k.results[id].Outputs {
			got = append(got, fmt.Sprint(o.Text, o.Data["text/plain"]))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("cell %s shows %q, want %q", id, got, want)
		}
	}
	send("1", "stream", `{"name":"stdout","text":"a"}`)
	send("1", "stream", `{"name":"stdout","text":"b"}`)
	send("1", "stream", `{"name":"stderr","text":"c"}`)
	shows("1", "ab<nil>|c<nil>")
	send("1", "clear_output", `{"wait":true}`)
	shows("1", "ab<nil>|c<nil>")
	send("1", "display_data", display("d", "one"))
	shows("1", "one")
	send("2", "execute_result", strings.Replace(display("d", "two"), "{", `{"execution_count":7,`, 1))
	shows("1", "two") // a display with a known id is an update as well
	shows("2", "two")
	if r := k.results["2"]; *r.Outputs[0].ExecutionCount != 7 {
		t.Errorf("execution count %v, want 7", *r.Outputs[0].ExecutionCount)
	}
	send("2", "update_display_data", display("d", "three"))
	shows("1", "three")
	shows("2", "three")
	send("1", "clear_output", `{"wait":false}`)
	shows("1", "")
	send("2", "update_display_data", display("d", "four"))
	shows("1", "")
	shows("2", "four")
	send("2", "update_display_data", display("unknown", "five"))
	shows("2", "four")
	send("0", "stream", `{"name":"stdout","text":"of nobody"}`)
	send("1", "execute_reply", `{"status":"error","execution_count":3,"ename":"E","evalue":"V","traceback":["T"]}`)
	if r := k.results["1"]; !r.Failed || r.EName != "E" || r.EValue != "V" || r.Traceback[0] != "T" || r.ExecutionCount != 3 {
		t.Errorf("reply is taken as %+v", r)
	}
	if err := k.take(Message{Header: Header{Type: "stream"}, Content: json.RawMessage(`{`)}); err == nil {
		t.Error("no error for content that is no JSON")
	}
}

func TestTail(t *testing.T) {
	var log tail
	for i := range 5000 {
		fmt.Fprintf(&log, "line %d\n", i)
	}
	lines := strings.Split(log.String(), "\n")
	if len(lines) != tailLines || lines[len(lines)-2] != "line 4999" {
		t.Errorf("kept %d lines, %q", len(lines), lines)
	}
}
