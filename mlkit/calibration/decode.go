package calibration

import (
	"encoding/json"
	"fmt"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/codec"
	"marginalia/mlkit/multiclass"
)

func (p *Platt) check() error {
	return codec.First(codec.Finite("a", p.A), codec.Finite("b", p.B))
}

// ModelKind names the model in files: see package modelfile.
func (*Platt) ModelKind() string { return "calibration.Platt" }

// UnmarshalJSON decodes A and B, or returns an error and leaves p unchanged.
func (p *Platt) UnmarshalJSON(data []byte) error { return codec.Decode(data, p, (*Platt).check) }

func (m *ClassifierModel[M]) check() error {
	return codec.First(
		codec.NotNull("model", m.Model, "a model of two classes"),
		codec.TwoClasses("model", m.Model),
		checkSigmoid("sigmoid", m.Sigmoid),
	)
}

// checkSigmoid checks that probabilities rise with the score.
func checkSigmoid(field string, p Platt) error {
	if p.A > 0 {
		return fmt.Errorf("%s.a = %v, want at most 0", field, p.A)
	}
	return nil
}

// ModelKind names the model in files: see package modelfile.
func (*ClassifierModel[M]) ModelKind() string {
	return "calibration.ClassifierModel[" + codec.Kind[M]() + "]"
}

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *ClassifierModel[M]) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*ClassifierModel[M]).check)
}

// pool is how the machines of one model of many classes are encoded: their models together, if
// they can be.
type pool[M mlkit.ClassifierModel] struct {
	Models   multiclass.Machines[M] `json:"models"`
	Sigmoids []Platt                `json:"sigmoids"`
}

// MarshalMachines encodes machines together, as multiclass.JointCoder says: what their models
// share is encoded once if the models are a JointCoder.
func (*ClassifierModel[M]) MarshalMachines(machines []*ClassifierModel[M]) ([]byte, error) {
	p := pool[M]{Models: make([]M, len(machines)), Sigmoids: make([]Platt, len(machines))}
	for k, m := range machines {
		if m == nil {
			return nil, fmt.Errorf("calibration: machines[%d] is nil, want a model", k)
		}
		p.Models[k], p.Sigmoids[k] = m.Model, m.Sigmoid
	}
	return json.Marshal(p)
}

// UnmarshalMachines decodes the output of MarshalMachines. It returns an error if a field is
// missing, unknown or invalid.
func (*ClassifierModel[M]) UnmarshalMachines(data []byte) ([]*ClassifierModel[M], error) {
	var p pool[M]
	err := codec.Strict(data, &p)
	if err == nil {
		err = codec.Length("sigmoids", len(p.Sigmoids), len(p.Models), "models")
	}
	if err != nil {
		return nil, fmt.Errorf("calibration: decoding machines: %w", err)
	}
	machines := make([]*ClassifierModel[M], len(p.Models))
	for k := range machines {
		machines[k] = &ClassifierModel[M]{p.Models[k], p.Sigmoids[k]}
		err := codec.First(
			codec.NotNull(fmt.Sprintf("models[%d]", k), p.Models[k], "a model of two classes"),
			codec.TwoClasses(fmt.Sprintf("models[%d]", k), p.Models[k]),
			checkSigmoid(fmt.Sprintf("sigmoids[%d]", k), p.Sigmoids[k]),
		)
		if err != nil {
			return nil, fmt.Errorf("calibration: decoding machines: %w", err)
		}
	}
	return machines, nil
}
