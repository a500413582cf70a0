package mlkittest

import (
	"bytes"
	"encoding/json"

	"marginalia/mlkit/internal/codec"
)

// The models that exercise the tests are decoded completely, like all models, except the
// one with fault "corrupt".

func (m *means) check() error {
	return codec.First(codec.AtLeast("len(W)", len(m.W), 1), codec.AllFinite("W", m.W), codec.Finite("B", m.B))
}

func (m *means) UnmarshalJSON(data []byte) error {
	if bytes.Contains(data, []byte(`"corrupt"`)) {
		type plain means
		return json.Unmarshal(data, (*plain)(m))
	}
	return codec.Decode(data, m, (*means).check)
}

func (p puppet) MarshalJSON() ([]byte, error) {
	if p.encoding != nil {
		return nil, p.encoding
	}
	return json.Marshal(p.means)
}

func (p *puppet) UnmarshalJSON(data []byte) error {
	m := new(means)
	*p = puppet{means: m, score: m.Score, predict: m.Predict, prob: m.Prob}
	return m.UnmarshalJSON(data)
}

func (m *centres) check() error {
	if err := codec.First(
		codec.AtLeast("len(Means)", len(m.Means), 2),
		codec.Length("Classes", len(m.Classes), len(m.Means), "Means"),
	); err != nil {
		return err
	}
	return codec.Rows("Means", m.Means, len(m.Means[0]))
}

func (m *centres) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*centres).check) }

func (m *line) check() error {
	return codec.First(codec.AllFinite("W", m.W), codec.Finite("B", m.B))
}

func (m *line) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*line).check) }

func (m *shift) check() error {
	return codec.First(codec.AtLeast("len(Origin)", len(m.Origin), 1), codec.AllFinite("Origin", m.Origin))
}

func (m *shift) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*shift).check) }

func (m *halves) check() error {
	return codec.First(codec.AtLeast("D", m.D, 1), codec.AtLeast("1 << 12 less D", 1<<12-m.D, 0), codec.Finite("At", m.At))
}

func (m *halves) UnmarshalJSON(data []byte) error { return codec.Decode(data, m, (*halves).check) }
