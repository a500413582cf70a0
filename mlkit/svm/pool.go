package svm

import (
	"encoding/json"
	"fmt"

	"marginalia/mlkit/internal/codec"
	"marginalia/mlkit/kernel"
)

// pool is how the machines of one model of many classes are encoded: a sample that is a
// support vector of several machines stands there once.
type pool struct {
	Vectors  [][]float64     `json:"vectors"`
	Machines []pooledMachine `json:"machines"`
}

// pooledMachine is a Model whose vectors are indices of the pool's.
type pooledMachine struct {
	Kernel   kernel.Any `json:"kernel"`
	Vectors  []int      `json:"vectors"`
	Coef     []float64  `json:"coef"`
	B        float64    `json:"b"`
	W        []float64  `json:"w,omitempty"`
	Norm     float64    `json:"norm"`
	Solution Solution   `json:"solution"`
}

// MarshalMachines encodes machines together, as multiclass.JointCoder says: each support
// vector that they share is encoded once.
func (*Model) MarshalMachines(machines []*Model) ([]byte, error) {
	p := pool{Vectors: [][]float64{}, Machines: make([]pooledMachine, len(machines))}
	at := map[*float64]int{} // by its first number, the place of a vector in the pool
	for k, m := range machines {
		if m == nil {
			return nil, fmt.Errorf("svm: machines[%d] is nil, want a model", k)
		}
		places := make([]int, len(m.Vectors))
		for i, v := range m.Vectors {
			if len(v) == 0 {
				return nil, fmt.Errorf("svm: machines[%d].Vectors[%d] is empty, want one number for each feature", k, i)
			}
			place, known := at[&v[0]]
			if !known {
				place = len(p.Vectors)
				at[&v[0]] = place
				p.Vectors = append(p.Vectors, v)
			}
			places[i] = place
		}
		p.Machines[k] = pooledMachine{m.Kernel, places, m.Coef, m.B, m.W, m.Norm, m.Solution}
	}
	return json.Marshal(p)
}

// UnmarshalMachines decodes the output of MarshalMachines. The machines share their
// vectors. It returns an error if a field is missing, unknown or invalid.
func (*Model) UnmarshalMachines(data []byte) ([]*Model, error) {
	var p pool
	if err := codec.Strict(data, &p); err != nil {
		return nil, fmt.Errorf("svm: decoding machines: %w", err)
	}
	machines := make([]*Model, len(p.Machines))
	for k, q := range p.Machines {
		if err := codec.Indices("vectors", q.Vectors, len(p.Vectors)); err != nil {
			return nil, fmt.Errorf("svm: decoding machines: machines[%d]: %w", k, err)
		}
		m := &Model{q.Kernel, make([][]float64, len(q.Vectors)), q.Coef, q.B, q.W, q.Norm, q.Solution}
		for i, at := range q.Vectors {
			m.Vectors[i] = p.Vectors[at]
		}
		if err := m.check(); err != nil {
			return nil, fmt.Errorf("svm: decoding machines: machines[%d]: %w", k, err)
		}
		machines[k] = m
	}
	return machines, nil
}
