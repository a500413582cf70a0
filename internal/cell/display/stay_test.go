//go:build unix

package display

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"

	"marginalia/internal/testkit/must"
)

// serverEnv makes the test binary a program that stays. Descriptor 3 is its connection.
const serverEnv = "MARGINALIA_TEST_SERVER"

// serveTest draws "<svg>VALUE</svg>" for slider a. For -1 it never ends.
func serveTest() {
	offered.draw = map[string]Drawer{"a": func(v float64, coarse bool) ([]byte, bool, error) {
		switch v {
		case -1:
			fmt.Println("drawing")
			select {}
		case -2:
			return nil, false, errors.New("not for -2")
		case -3:
			panic("at -3")
		}
		return fmt.Appendf(nil, "<svg>%g</svg>", v), coarse, nil
	}}
	newServer(os.NewFile(3, "kernel")).run()
}

// The program answers with frames, their errors and their panics. It ends with its connection,
// even in the middle of a frame.
func TestServer(t *testing.T) {
	pair := must.Get(unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)).Or(t)
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	conn := must.Get(net.FileConn(ours)).Or(t)
	ours.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serverEnv+"=1")
	cmd.ExtraFiles = []*os.File{theirs}
	drawing := must.Get(cmd.StdoutPipe()).Or(t)
	must.Do(t, cmd.Start())
	theirs.Close()
	enc, dec := json.NewEncoder(conn), json.NewDecoder(conn)
	move := func(by string, values ...float64) {
		t.Helper()
		for _, v := range values {
			must.Do(t, enc.Encode(Move{Slider: "a", Value: v, By: by}))
		}
	}
	want := func(by string, v float64, svg, failed string) {
		t.Helper()
		var f Frame
		must.Do(t, dec.Decode(&f))
		if f != (Frame{Slider: "a", Value: v, By: by, SVG: svg, Error: failed}) {
			t.Errorf("%+v, want the frame at %g for %s", f, v, by)
		}
	}
	move("p", 1)
	want("p", 1, "<svg>1</svg>", "")
	enc.Encode(Move{Slider: "a", Value: 2, Coarse: true})
	var f Frame
	if err := dec.Decode(&f); err != nil || f != (Frame{Slider: "a", Value: 2, SVG: "<svg>2</svg>", Coarse: true}) {
		t.Errorf("a coarse frame: %+v, %v", f, err)
	}
	f = Frame{}
	enc.Encode(Move{Slider: "b", By: "r"})
	if err := dec.Decode(&f); err != nil || f.Error != `the program has no slider "b"` || f.By != "r" {
		t.Errorf("another slider: %+v, %v", f, err)
	}
	move("p", -2)
	want("p", -2, "", "not for -2")
	move("p", -3)
	want("p", -3, "", "panic: at -3")
	move("p", -1)
	if _, err := drawing.Read(make([]byte, 9)); err != nil { // as it begins to draw
		t.Fatal(err)
	}
	conn.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("its connection closed, and the program ends with %v", err)
	}
}

// Each page's latest move is answered, in the order in which they came.
func TestMovesThatWait(t *testing.T) {
	s := newServer(nil)
	for _, m := range []Move{{By: "p", Value: 1}, {By: "q", Value: 2}, {By: "p", Value: 3}, {By: "r", Value: 4}, {By: "q", Value: 5}} {
		s.put(m)
	}
	for _, want := range []Move{{By: "p", Value: 3}, {By: "r", Value: 4}, {By: "q", Value: 5}} {
		if m := s.next(); m != want {
			t.Errorf("%+v, want %+v", m, want)
		}
	}
	if len(s.moves) > 0 {
		t.Errorf("%+v are left", s.moves)
	}
}

func TestMain(m *testing.M) {
	if os.Getenv(serverEnv) != "" {
		serveTest()
	}
	os.Exit(m.Run())
}
