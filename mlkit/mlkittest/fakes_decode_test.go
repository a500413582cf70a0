package mlkittest

import (
	"bytes"
	"encoding/gob"
	"encoding/json"

	"marginalia/mlkit/internal/codec"
)

// The models that exercise the tests are decoded completely, like all models, except the
// one with fault "corrupt".

func (m *means) form() codec.Form {
	type plain means
	return codec.Form{Name: "means: decoding a model", Plain: (*plain)(m), Check: func() error {
		return codec.First(codec.AtLeast("len(W)", len(m.W), 1), codec.AllFinite("W", m.W), codec.Finite("B", m.B))
	}}
}

func (m means) GobEncode() ([]byte, error)   { return json.Marshal(m) }
func (m *means) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

func (m *means) UnmarshalJSON(data []byte) error {
	if bytes.Contains(data, []byte(`"corrupt"`)) {
		type plain means
		return json.Unmarshal(data, (*plain)(m))
	}
	return codec.DecodeJSON(data, m, (*means).form)
}

// puppetGob is the gob encoding of a puppet, its means and M.
type puppetGob struct {
	Means means
	M     any
}

func (p puppet) GobEncode() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(puppetGob{*p.means, p.M})
	return b.Bytes(), err
}

func (p *puppet) GobDecode(data []byte) error {
	var g puppetGob
	err := gob.NewDecoder(bytes.NewReader(data)).Decode(&g)
	p.means, p.M = &g.Means, g.M
	return err
}

func (p *puppet) UnmarshalJSON(data []byte) error {
	p.means = new(means)
	return p.means.UnmarshalJSON(data)
}

func (m *centres) form() codec.Form {
	type plain centres
	return codec.Form{Name: "centres: decoding a model", Plain: (*plain)(m), Check: func() error {
		if err := codec.First(
			codec.AtLeast("len(Means)", len(m.Means), 2),
			codec.Length("Classes", len(m.Classes), len(m.Means), "Means"),
		); err != nil {
			return err
		}
		return codec.Rows("Means", m.Means, len(m.Means[0]))
	}}
}

func (m centres) GobEncode() ([]byte, error)       { return json.Marshal(m) }
func (m *centres) GobDecode(data []byte) error     { return m.UnmarshalJSON(data) }
func (m *centres) UnmarshalJSON(data []byte) error { return codec.DecodeJSON(data, m, (*centres).form) }

func (m *line) form() codec.Form {
	type plain line
	return codec.Form{Name: "line: decoding a model", Plain: (*plain)(m), Check: func() error {
		return codec.First(codec.AllFinite("W", m.W), codec.Finite("B", m.B))
	}}
}

func (m line) GobEncode() ([]byte, error)       { return json.Marshal(m) }
func (m *line) GobDecode(data []byte) error     { return m.UnmarshalJSON(data) }
func (m *line) UnmarshalJSON(data []byte) error { return codec.DecodeJSON(data, m, (*line).form) }

func (m *shift) form() codec.Form {
	type plain shift
	return codec.Form{Name: "shift: decoding a model", Plain: (*plain)(m), Check: func() error {
		return codec.First(codec.AtLeast("len(Origin)", len(m.Origin), 1), codec.AllFinite("Origin", m.Origin))
	}}
}

func (m shift) GobEncode() ([]byte, error)       { return json.Marshal(m) }
func (m *shift) GobDecode(data []byte) error     { return m.UnmarshalJSON(data) }
func (m *shift) UnmarshalJSON(data []byte) error { return codec.DecodeJSON(data, m, (*shift).form) }

func (m *halves) form() codec.Form {
	type plain halves
	return codec.Form{Name: "halves: decoding a model", Plain: (*plain)(m), Check: func() error {
		return codec.First(codec.AtLeast("D", m.D, 1), codec.AtLeast("1 << 12 less D", 1<<12-m.D, 0), codec.Finite("At", m.At))
	}}
}

func (m halves) GobEncode() ([]byte, error)       { return json.Marshal(m) }
func (m *halves) GobDecode(data []byte) error     { return m.UnmarshalJSON(data) }
func (m *halves) UnmarshalJSON(data []byte) error { return codec.DecodeJSON(data, m, (*halves).form) }
