package codec

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// line is a model whose form has changed twice: version 1 had the slope as the angle's
// tangent under the name a, version 2 called it slope, and version 3 added an offset.
type line struct {
	Slope  float64 `json:"slope"`
	Offset float64 `json:"offset"`
}

func (l *line) form() Form {
	type plain line
	return Form{Name: "codec: decoding a line", Plain: (*plain)(l), Version: 3,
		Check: func() error { return AllFinite("slope", []float64{l.Slope, l.Offset}) },
		Old: func(version int, data []byte) error {
			var first struct {
				A float64 `json:"a"`
			}
			var second struct {
				Slope float64 `json:"slope"`
			}
			switch version {
			case 1:
				err := Strict(data, &first)
				l.Slope = first.A
				return err
			case 2:
				err := Strict(data, &second)
				l.Slope = second.Slope
				return err
			}
			return fmt.Errorf("version %d never was", version)
		},
	}
}

func (l line) MarshalJSON() ([]byte, error)     { return Encode(l.form()) }
func (l *line) UnmarshalJSON(data []byte) error { return DecodeJSON(data, l, (*line).form) }

// Each version is decoded, in any order of its fields and inside another value, where
// there is no file header. It is encoded as the newest.
func TestVersions(t *testing.T) {
	for text, want := range map[string]line{
		`{"a":2}`:                                    {2, 0},
		`{"form":2,"slope":2}`:                       {2, 0},
		`{"form":3,"slope":2,"offset":5}`:            {2, 5},
		"{\n \"offset\":5,\"slope\":2,\"form\" : 3}": {2, 5},
	} {
		var all struct {
			Lines []line          `json:"lines"`
			Named map[string]line `json:"named"`
		}
		if err := Strict([]byte(`{"lines":[`+text+`],"named":{"x":`+text+`}}`), &all); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if all.Lines[0] != want || all.Named["x"] != want {
			t.Errorf("%s is decoded to %v, want %v", text, all, want)
		}
		data, err := json.Marshal(all.Lines[0])
		if same := fmt.Sprintf(`{"form":3,"slope":%v,"offset":%v}`, want.Slope, want.Offset); err != nil || string(data) != same {
			t.Errorf("%s is encoded as %s, %v, want %s", text, data, err, same)
		}
	}
}

func TestVersionErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"form":4,"slope":2}`:              "form = 4, want at most 3: a newer version of the library wrote it; update this one",
		`{"form":1,"a":2}`:                  "form = 1, want a version from 2 on; version 1 has no such field",
		`{"form":0,"a":2}`:                  "form = 0, want a version from 2 on; version 1 has no such field",
		`{"form":-2,"a":2}`:                 "form = -2, want a version from 2 on",
		`{"form":2.5,"a":2}`:                "form = 2.5, want a version from 2 on",
		`{"form":"2","slope":2}`:            `form = "2", want a version from 2 on`,
		`{"form":null,"slope":2}`:           "form = null, want a version from 2 on",
		`{"form":2,"a":2}`:                  `"a" is no field of it, want slope`,
		`{"slope":2}`:                       `"slope" is no field of it, want a`,
		`{"form":3,"slope":2}`:              "offset is missing",
		`{"form":3,"slope":2,"offset":"3"}`: "json: cannot unmarshal string",
		`null`:                              "it is null, want an object",
		`[]`:                                "json: cannot unmarshal array",
	} {
		before := line{7, 8}
		err := json.Unmarshal([]byte(text), &before)
		if text == `null` {
			err = before.UnmarshalJSON([]byte(text))
		}
		if err == nil || !strings.HasPrefix(err.Error(), "codec: decoding a line: "+want) || before != (line{7, 8}) {
			t.Errorf("%s: %v, %v, want %s", text, before, err, want)
		}
	}
}

// A model that has had one form only says so if it meets another.
func TestFirstVersionMeetsSecond(t *testing.T) {
	type plain struct {
		A float64 `json:"a"`
	}
	decode := func(text string) error {
		return DecodeJSON([]byte(text), new(plain), func(p *plain) Form {
			return Form{Name: "codec: decoding a plain", Plain: p, Check: func() error { return nil }}
		})
	}
	for text, want := range map[string]string{
		`{"a":1}`:          "",
		`{"form":2,"b":1}`: "codec: decoding a plain: form = 2, want at most 1: a newer version",
		`{"form":2,"a":1}`: "codec: decoding a plain: form = 2, want at most 1: a newer version",
		`{"form":1,"a":1}`: `codec: decoding a plain: "form" is no field of it, want a`,
		`{"b":1}`:          `codec: decoding a plain: "b" is no field of it, want a`,
	} {
		if err := decode(text); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// What decodes versions itself, or has a field for them, is not taken for an older library's.
func TestStrictAndVersions(t *testing.T) {
	l := new(line)
	if err := Strict([]byte(`{"form":2,"b":1}`), &l); err == nil || err.Error() != `codec: decoding a line: "b" is no field of it, want slope` {
		t.Error(err)
	}
	var v struct {
		Form int     `json:"form"`
		A    float64 `json:"a"`
	}
	if err := Strict([]byte(`{"form":2,"b":1}`), &v); err == nil || err.Error() != `"b" is no field of it, want a, form` {
		t.Error(err)
	}
	var list []int
	if err := Strict([]byte(`{"form":2}`), &list); err == nil || err.Error() != "form = 2, want at most 1: a newer version of the library wrote it; update this one" {
		t.Error(err)
	}
}

// Without Old, only the newest version is decoded; without fields, the version stands
// alone.
func TestNoOldVersion(t *testing.T) {
	f := Form{Name: "codec: decoding nothing", Plain: new(struct{}), Version: 2, Check: func() error { return nil }}
	data, err := Encode(f)
	if err != nil || string(data) != `{"form":2}` || f.decodeJSON(data) != nil {
		t.Errorf("%s, %v, want a form of version 2 that is decoded", data, err)
	}
	if err := f.decodeJSON([]byte(`{}`)); err == nil || !strings.HasSuffix(err.Error(), "form = 1, want 2: older forms are no longer read") {
		t.Errorf("version 1: %v", err)
	}
}

type kinded struct{}

func (*kinded) ModelKind() string { return "codec.kinded" }

func TestKind(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Kind[kinded](), "codec.kinded"},
		{Kind[*kinded](), "codec.kinded"},
		{Kind[*line](), "?codec.line"},
		{Kind[json.Marshaler](), "?json.Marshaler"},
		{KindOf(reflect.TypeFor[[]int]()), "?[]int"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}
