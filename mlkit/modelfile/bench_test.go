package modelfile_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/modelfile"
	"marginalia/mlkit/svm"
)

// What a file costs beside the JSON in it, for 2000 support vectors of 100 numbers.
func BenchmarkFile(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	m := &svm.Model{Kernel: kernel.Any{Kernel: kernel.RBF{Gamma: 1}}, Vectors: make([][]float64, 2000), Coef: make([]float64, 2000)}
	for i := range m.Vectors {
		m.Coef[i], m.Vectors[i] = random.NormFloat64(), make([]float64, 100)
		for j := range m.Vectors[i] {
			m.Vectors[i][j] = random.NormFloat64()
		}
	}
	file := written(b, m, nil)
	data := testkit.Try(json.Marshal(m)).Or(b)
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"write/json", func() error { _, err := json.Marshal(m); return err }},
		{"write/file", func() error { return modelfile.Write(new(bytes.Buffer), m, nil) }},
		{"read/json", func() error { return json.Unmarshal(data, new(svm.Model)) }},
		{"read/file", func() error { _, err := modelfile.Read[*svm.Model](bytes.NewReader(file)); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if err := c.do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
