package display

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A host without a kernel gets each message as Jupyter stores one: what is
// binary in base64, which encodes 1, 2, 3 as AQID.
func TestFuncIsASink(t *testing.T) {
	t.Setenv(PipeEnv, "")
	if Active() {
		t.Error("active without a sink")
	}
	var got []string
	Use(Func(func(message []byte) error {
		got = append(got, string(message))
		return nil
	}))
	defer Use(nil)
	if !Active() {
		t.Error("not active with a sink")
	}
	for _, d := range []Data{
		{Data: Bundle{"image/png": []byte{1, 2, 3}, "text/plain": "a figure"}, Metadata: Bundle{"figure": "f", "image/png": map[string]float64{"width": 480}}, DisplayID: "id"},
		{Data: Bundle{"text/html": "<b>1</b>"}},
	} {
		if err := Send(d); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		`{"data":{"image/png":"AQID","text/plain":"a figure"},"metadata":{"figure":"f","image/png":{"width":480}},"display_id":"id"}`,
		`{"data":{"text/html":"\u003cb\u003e1\u003c/b\u003e"}}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the host got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	Use(Func(func([]byte) error { return errors.New("the page is gone") }))
	if err := Send(Data{}); err == nil || err.Error() != "display: the page is gone" {
		t.Errorf("a host that fails: %v", err)
	}
	Use(nil)
	if err := Send(Data{}); err == nil || !strings.Contains(err.Error(), "GONB_PIPE is not set") {
		t.Errorf("without a sink: %v", err)
	}
}

func TestFiles(t *testing.T) {
	t.Setenv(FiguresEnv, "")
	if f, err := Collected(); f != nil || err != nil {
		t.Errorf("without a folder: %v, %v", f, err)
	}
	dir := t.TempDir()
	t.Setenv(FiguresEnv, dir)
	t.Setenv(FormatsEnv, "svg,pdf")
	t.Setenv(WidthEnv, "3.5")
	t.Setenv(HeightEnv, "2.5")
	f, err := Collected()
	if err != nil || f.Width != 3.5 || f.Height != 2.5 {
		t.Fatal(f, err)
	}
	var s Sink = f
	if err := s.Send(Data{Data: Bundle{"image/svg+xml": []byte("<svg/>"), "application/pdf": []byte("%PDF"), "image/png": []byte{1}}, Metadata: Bundle{"figure": "a-figure.1"}}); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 2 {
		t.Errorf("files %v, %v, want the two formats that are wanted", files, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a-figure.1.svg")); string(text) != "<svg/>" {
		t.Errorf("%q, %v", text, err)
	}
	for env, value := range map[string]string{FormatsEnv: "svg,gif", WidthEnv: "0.5", HeightEnv: "high"} {
		t.Run(env, func(t *testing.T) {
			t.Setenv(env, value)
			if _, err := Collected(); err == nil || !strings.Contains(err.Error(), env) {
				t.Errorf("%s=%s: %v", env, value, err)
			}
		})
	}
}
