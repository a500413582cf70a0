package codec_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"marginalia/mlkit/internal/codec"
)

// Part is embedded in a model and has no methods of its own.
type Part struct {
	A []float64 `json:"a"`
}

type inner struct {
	Pair [2]int `json:"pair"`
	Text string
}

// model has every kind of field that models of mlkit have. Its check wants N elements
// in A.
type model struct {
	Part
	N    int       `json:"n"`
	In   inner     `json:"in"`
	Many []inner   `json:"many"`
	Next *model    `json:"next"`
	Rest []float64 `json:"rest,omitempty"`
	Grid [][]int   `json:"grid"`
	Left func()    `json:"-"`
}

func (m *model) check() error { return codec.Length("a", len(m.A), m.N, "n") }

func (m *model) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*model).check) }

const text = `{"a":[1,2],"n":2,"in":{"pair":[1,2],"Text":"t"},"many":[{"pair":[3,4],"Text":""}],"next":null,"grid":[[1],null]}`

func TestJSON(t *testing.T) {
	want := model{Part: Part{[]float64{1, 2}}, N: 2, In: inner{[2]int{1, 2}, "t"}, Many: []inner{{Pair: [2]int{3, 4}}}, Grid: [][]int{{1}, nil}}
	var m model
	if err := json.Unmarshal([]byte(text), &m); err != nil || !reflect.DeepEqual(m, want) {
		t.Fatalf("%+v, error %v, want %+v", m, err, want)
	}
	if b, err := json.Marshal(m); err != nil || string(b) != text {
		t.Errorf("%s, error %v, want %s", b, err, text)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"a":[1,2]`, `"a":[1]`, "len(a) = 1, want 2, one for each of n"},
		{`"a":[1,2]`, `"a":[1,null]`, "a[1] is null, want a value of type float64"},
		{`"n":2`, `"n":null`, "n is null, want a value of type int"},
		{`"n":2`, `"N":2`, `"N" is no field of it, want a, grid, in, many, n, next, rest`},
		{`"n":2`, `"n":2,"-":2`, `"-" is no field of it`},
		{`"n":2,`, ``, "n is missing"},
		{`[1,2],"Text"`, `[1,2,3],"Text"`, "in.pair has 3 elements, want 2"},
		{`[1,2],"Text"`, `[1],"Text"`, "in.pair has 1 elements, want 2"},
		{`[3,4],"Text":""`, `[3,4]`, "many[0].Text is missing"},
		{`[3,4],`, `[3,4],"Texts":"",`, `"Texts" is no field of many[0], want Text, pair`},
		{`{"pair":[1,2],"Text":"t"}`, `null`, "in is null, want an object"},
		{`[[1],null]`, `[[1],[null]]`, "grid[1][0] is null, want a value of type int"},
		{`"next":null`, `"next":{}`, `codec: decoding model: a is missing`},
		{`"n":2`, `"n":"2"`, "n is a JSON string, want a value of type int"},
		{`"n":2`, `"n":2.5`, "n is a JSON number 2.5, want a value of type int"},
		{`"Text":"t"`, `"Text":[]`, "in.Text is a JSON array, want a value of type string"},
		{text, `[1]`, "it is a JSON array, want an object"},
		{text, `null`, "it is null, want an object"},
	} {
		spoilt := strings.Replace(text, c.old, c.new, 1)
		err := json.Unmarshal([]byte(spoilt), &m)
		if err == nil || !strings.HasPrefix(err.Error(), "codec: decoding model: "+c.want) {
			t.Errorf("%s: error %v, want %s", spoilt, err, c.want)
		}
		if !reflect.DeepEqual(m, want) {
			t.Errorf("%s: %+v is left, want %+v", spoilt, m, want)
		}
	}
	if err := m.UnmarshalJSON([]byte(text + `{}`)); err == nil {
		t.Error("what stands after the model is passed over")
	}
}

// square is encoded as its side.
type square struct{ area float64 }

func (s *square) check() error { return codec.Finite("area", s.area) }

func (s *square) UnmarshalJSON(data []byte) error {
	return codec.DecodeAs(data, s, func(f struct{ Side float64 }) square { return square{f.Side * f.Side} }, (*square).check)
}

func TestDecodeAs(t *testing.T) {
	s := square{1}
	for data, want := range map[string]string{
		`{"Side":1e200}`:        "area = +Inf, want a finite number",
		`{"Side":2,"Height":1}`: `"Height" is no field of it, want Side`,
		`{"Side":[2]}`:          "Side is a JSON array, want a value of type float64",
		`[2]`:                   "it is a JSON array, want an object",
		`{"Side":1e999}`:        "Side is a JSON number 1e999, want a value of type float64",
		`{"side":2}`:            `"side" is no field of it, want Side`,
		`null`:                  "it is null, want an object",
	} {
		if err := json.Unmarshal([]byte(data), &s); err == nil || err.Error() != "codec: decoding square: "+want || s.area != 1 {
			t.Errorf("%s: %v and %v, want %s", data, s, err, want)
		}
	}
	if err := json.Unmarshal([]byte(`{"Side":3}`), &s); err != nil || s.area != 9 {
		t.Errorf("%v, %v, want 9", s, err)
	}
}

func TestChecks(t *testing.T) {
	nothing := codec.First(codec.Length("a", 2, 2, "b"), codec.AtLeast("a", 0, 0), codec.Counts("a", []int{1, 2}, 1), codec.Finite("a", -1), codec.AllFinite("a", nil),
		codec.Rows("a", [][]float64{{1}, {2}}, 1), codec.Indices("a", []int{0, 2}, 3), codec.Ascending("a", []int{-1, 0, 7}), codec.Classes("a", []int{-1, 1}), codec.OneOf("a", []int{1, 1}, []int{2, 1}))
	if nothing != nil {
		t.Error(nothing)
	}
	nan := 0.0
	nan /= nan
	for want, err := range map[string]error{
		"len(a) = 1, want 2, one for each of b":                codec.Length("a", 1, 2, "b"),
		"a = -1, want at least 0":                              codec.AtLeast("a", -1, 0),
		"a[1] = 0, want at least 1":                            codec.Counts("a", []int{1, 0}, 1),
		"a = NaN, want a finite number":                        codec.Finite("a", nan),
		"a[1] = NaN, want a finite number":                     codec.AllFinite("a", []float64{0, nan}),
		"a[1][0] = NaN, want a finite number":                  codec.Rows("a", [][]float64{{1}, {nan}}, 1),
		"len(a[1]) = 0, want 1":                                codec.Rows("a", [][]float64{{1}, {}}, 1),
		"a[1] = 3, want from 0 to 2":                           codec.Indices("a", []int{0, 3}, 3),
		"a[0] = -1, want from 0 to 2":                          codec.Indices("a", []int{-1}, 3),
		"a[1] = 4 after 4, want ascending numbers, none twice": codec.Ascending("a", []int{4, 4}),
		"len(a) = 1, want at least two labels":                 codec.Classes("a", []int{4}),
		"a[0] = 3, want one of [1 2]":                          codec.OneOf("a", []int{3}, []int{1, 2}),
		"first":                                                codec.First(nil, errors.New("first"), errors.New("second")),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
