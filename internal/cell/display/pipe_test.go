package display

import (
	"encoding/gob"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"marginalia/internal/testkit/must"
)

// gonb does what GoNB v0.11.5 does with the two pipes
// (internal/jpyexec/namedpipes.go): it opens each when the program does,
// records the messages in order and answers syncs.
type gonb struct {
	pipe, back string
	done       chan []Data
}

func newGoNB(t *testing.T) *gonb {
	t.Helper()
	dir := t.TempDir()
	k := &gonb{filepath.Join(dir, "pipe"), filepath.Join(dir, "back"), make(chan []Data, 1)}
	for _, p := range []string{k.pipe, k.back} {
		must.Do(t, syscall.Mkfifo(p, 0o600))
	}
	must.Do(t, Register())
	acks := make(chan int, 100)
	go func() {
		w, err := os.OpenFile(k.back, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer w.Close()
		enc := gob.NewEncoder(w)
		for n := range acks {
			enc.Encode(&CommValue{Address: "#other", Value: n})
			enc.Encode(&CommValue{Address: SyncAckAddress, Value: n})
		}
	}()
	go func() {
		defer close(acks)
		var got []Data
		r, err := os.Open(k.pipe)
		if err != nil {
			return
		}
		defer r.Close()
		for dec := gob.NewDecoder(r); ; {
			var d Data
			if dec.Decode(&d) != nil {
				k.done <- got
				return
			}
			if v, ok := d.Data[KeyComm].(CommValue); ok && v.Address == SyncAddress {
				acks <- v.Value.(int)
				continue
			}
			got = append(got, d)
		}
	}()
	return k
}

func TestSend(t *testing.T) {
	k := newGoNB(t)
	t.Setenv(PipeEnv, k.pipe)
	t.Setenv(BackEnv, k.back)
	if !Active() {
		t.Error("not active with " + PipeEnv + " set")
	}
	want := []Data{
		{
			Data:      Bundle{"image/png": []byte{1, 2, 3}, "text/plain": "a figure"},
			Metadata:  Bundle{"image/png": map[string]float64{"width": 480, "height": 360}},
			DisplayID: "id",
		},
		{Data: Bundle{"text/plain": strings.Repeat("x", 1<<20)}},
	}
	for _, d := range want {
		must.Do(t, Send(d))
	}
	kernel.close()
	if got := <-k.done; !reflect.DeepEqual(got, want) {
		t.Errorf("the kernel received %v", got)
	}
}

func TestSendErrors(t *testing.T) {
	t.Setenv(PipeEnv, "")
	if err := Send(Data{}); err == nil || !strings.Contains(err.Error(), "GONB_PIPE is not set") {
		t.Errorf("outside a notebook: %v", err)
	}
	t.Setenv(PipeEnv, filepath.Join(t.TempDir(), "none"))
	first := Send(Data{})
	if first == nil || !strings.Contains(first.Error(), "display: GONB_PIPE: open") {
		t.Errorf("missing pipe: %v", first)
	}
	if again := Send(Data{}); again != first {
		t.Errorf("second call after an error: %v, want the first error", again)
	}
	// A kernel that takes the message and ends without an answer.
	k := newGoNB(t)
	t.Setenv(PipeEnv, k.pipe)
	t.Setenv(BackEnv, filepath.Join(t.TempDir(), "none"))
	if err := Send(Data{}); err == nil || !strings.Contains(err.Error(), "GONB_PIPE_BACK") {
		t.Errorf("missing pipe back: %v", err)
	}
}

// A cell may use gonbui too. Both write to one pipe, and only gonbui may read
// the answers; nothing may be lost or come in another order.
func TestBesideGonbui(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "mixed")
	if out, err := exec.Command("go", "build", "-ldflags=-s", "-o", bin, "./testdata/mixed").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for range 10 {
		k := newGoNB(t)
		cmd := exec.Command(bin)
		cmd.Env = append(os.Environ(), PipeEnv+"="+k.pipe, BackEnv+"="+k.back)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%v\n%s", err, out)
		}
		var kinds []string
		for _, d := range <-k.done {
			switch {
			case d.Data["text/html"] != nil:
				kinds = append(kinds, "html")
			case len(d.Data["image/png"].([]byte)) == 300_000 && d.Metadata["image/png"].(map[string]float64)["width"] == 480:
				kinds = append(kinds, "png")
			}
		}
		if got := strings.Join(kinds, " "); got != "html png html png html png html" {
			t.Fatalf("the kernel received %q", got)
		}
	}
}

func TestPushIsSkipped(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		enc := gob.NewEncoder(w)
		for i := range 3 {
			enc.Encode(Data{DisplayID: strings.Repeat("a", i+1)})
			push(w, i)
		}
		w.Close()
	}()
	dec := gob.NewDecoder(r)
	for _, want := range []string{"a", "aa", "aaa"} {
		var d Data
		if err := dec.Decode(&d); err != nil || d.DisplayID != want {
			t.Fatalf("got %q, %v, want %q", d.DisplayID, err, want)
		}
	}
}
