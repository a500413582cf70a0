package harness

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"marginalia/internal/cell/display"
)

// TestMain lets the test binary play a cell program: what it shows is named by an environment variable.
func TestMain(m *testing.M) {
	switch os.Getenv("DISPLAY_TEST_PROGRAM") {
	case "":
		os.Exit(m.Run())
	case "silent":
	case "figures":
		big := strings.Repeat("x", 1<<20)
		for i := range 3 {
			fail(display.Send(display.Data{Data: display.Bundle{"image/png": []byte{byte(i), 1, 2}, "text/plain": big},
				Metadata: display.Bundle{"image/png": map[string]float64{"width": 40.5}}}))
		}
		fail(display.Send(display.Data{Data: display.Bundle{"text/html": "<b>1</b>"}, DisplayID: "live"}))
		fail(display.Send(display.Data{Data: display.Bundle{"text/html": "<b>2</b>"}, DisplayID: "live"}))
	case "input":
		fail(display.Send(display.Data{Data: display.Bundle{display.KeyInput: display.InputRequest{Prompt: "name?"}}}))
		fail(display.Send(display.Data{Data: display.Bundle{"text/plain": "after"}}))
	case "killed":
		fail(display.Send(display.Data{Data: display.Bundle{"text/plain": "before"}}))
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		select {}
	}
}

func fail(err error) {
	if err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(3)
	}
}

func play(t *testing.T, program string) ([]display.Data, error, error) {
	t.Helper()
	var shown []display.Data
	var failed error
	refuse := func() { shown = append(shown, display.Data{DisplayID: "asks"}) }
	h, err := New(func(s display.Data) { shown = append(shown, s) }, func() {}, refuse, func(e error) { failed = e })
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(h.Env(), "DISPLAY_TEST_PROGRAM="+program)...)
	run := cmd.Run()
	h.Close()
	if _, stat := os.Stat(h.dir); !os.IsNotExist(stat) {
		t.Errorf("the folder of the pipes is still there: %v", stat)
	}
	return shown, failed, run
}

func TestHarnessRecordsEverything(t *testing.T) {
	// Several runs: the order of opening and closing is up to the scheduler.
	for range 10 {
		shown, err, run := play(t, "figures")
		if err != nil || run != nil {
			t.Fatal(err, run)
		}
		if len(shown) != 5 {
			t.Fatalf("%d messages, want 5", len(shown))
		}
		for i, s := range shown[:3] {
			if got := s.Data["image/png"]; got != base64.StdEncoding.EncodeToString([]byte{byte(i), 1, 2}) {
				t.Errorf("image %d: %v", i, got)
			}
			if text, _ := s.Data["text/plain"].(string); len(text) != 1<<20 {
				t.Errorf("text of image %d has %d bytes", i, len(text))
			}
			if w := s.Metadata["image/png"].(map[string]any)["width"]; w != json.Number("40.5") {
				t.Errorf("width %v", w)
			}
		}
		if shown[4].DisplayID != "live" || shown[4].Data["text/html"] != "<b>2</b>" {
			t.Errorf("last: %v", shown[4])
		}
	}
}

func TestHarnessWithoutDisplay(t *testing.T) {
	if shown, err, run := play(t, "silent"); len(shown) != 0 || err != nil || run != nil {
		t.Error(shown, err, run)
	}
}

func TestHarnessOfAKilledProgram(t *testing.T) {
	if shown, err, run := play(t, "killed"); len(shown) != 1 || err != nil || run == nil {
		t.Error(shown, err, run)
	}
}

// A program that asks for input is told so, and goes on.
func TestHarnessRefusesInput(t *testing.T) {
	shown, err, run := play(t, "input")
	if err != nil || run != nil || len(shown) != 2 || shown[0].DisplayID != "asks" || shown[1].Data["text/plain"] != "after" {
		t.Error(shown, err, run)
	}
}
