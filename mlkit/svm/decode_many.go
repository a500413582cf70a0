package svm

import (
	"encoding/json"
	"fmt"
	"reflect"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/codec"
	"marginalia/mlkit/kernel"
)

func (m *OneAgainstAllModel[M]) form() codec.Form {
	type plain OneAgainstAllModel[M]
	return codec.Form{Name: "svm: decoding a OneAgainstAllModel", Plain: (*plain)(m), Check: func() error {
		return codec.First(
			codec.Classes("classes", m.Classes),
			codec.Length("machines", len(m.Machines), len(m.Classes), "classes"),
			checkMachines(len(m.Machines), func(k int) any { return m.Machines[k] }),
		)
	}}
}

// GobEncode encodes the model as JSON.
func (m OneAgainstAllModel[M]) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *OneAgainstAllModel[M]) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field
// is missing, unknown or invalid.
func (m *OneAgainstAllModel[M]) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*OneAgainstAllModel[M]).form)
}

func (m *OneAgainstOneModel[M]) form() codec.Form {
	type plain OneAgainstOneModel[M]
	return codec.Form{Name: "svm: decoding a OneAgainstOneModel", Plain: (*plain)(m), Check: func() error {
		return codec.First(
			codec.Classes("classes", m.Classes),
			checkPairs(m.Classes, m.Pairs),
			codec.Length("machines", len(m.Machines), len(m.Pairs), "pairs"),
			codec.Length("rows", len(m.Rows), len(m.Pairs), "pairs"),
			checkMachines(len(m.Machines), func(k int) any { return m.Machines[k] }),
			checkPairRows(m.Rows),
		)
	}}
}

// GobEncode encodes the model as JSON.
func (m OneAgainstOneModel[M]) GobEncode() ([]byte, error) { return json.Marshal(m) }

// GobDecode decodes a model from the output of GobEncode. It returns the errors of
// UnmarshalJSON.
func (m *OneAgainstOneModel[M]) GobDecode(data []byte) error { return m.UnmarshalJSON(data) }

// UnmarshalJSON decodes a model. It returns an error, and leaves m unchanged, if a field
// is missing, unknown or invalid.
func (m *OneAgainstOneModel[M]) UnmarshalJSON(data []byte) error {
	return codec.DecodeJSON(data, m, (*OneAgainstOneModel[M]).form)
}

// checkPairs checks that pairs lists every pair of classes in order.
func checkPairs(classes []int, pairs [][2]int) error {
	count := len(classes) * (len(classes) - 1) / 2
	if len(pairs) != count {
		return fmt.Errorf("len(pairs) = %d, want %d, one for every two of the %d classes", len(pairs), count, len(classes))
	}
	k := 0
	for i, first := range classes {
		for _, second := range classes[i+1:] {
			if want := [2]int{first, second}; pairs[k] != want {
				return fmt.Errorf("pairs[%d] = %v, want %v", k, pairs[k], want)
			}
			k++
		}
	}
	return nil
}

func checkPairRows(rows [][]int) error {
	for k, some := range rows {
		field := fmt.Sprintf("rows[%d]", k)
		if err := codec.First(codec.Counts(field, some, 0), codec.Ascending(field, some)); err != nil {
			return err
		}
	}
	return nil
}

// checkMachines checks that no machine is missing, and that all take the same number of
// features, as far as it is known. Machines that decode themselves are complete.
func checkMachines(count int, machine func(k int) any) error {
	first, features := -1, 0
	for k := range count {
		m := machine(k)
		if v := reflect.ValueOf(m); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
			return fmt.Errorf("machines[%d] is null, want a machine", k)
		}
		d, known := featuresOf(m)
		switch {
		case !known:
		case first < 0:
			first, features = k, d
		case d != features:
			return fmt.Errorf("machines[%d] takes samples of %d numbers, want %d, as machines[%d] does", k, d, features, first)
		}
	}
	return nil
}

// featuresOf returns the number of features that a machine takes, if the machine is of
// this package or of package kernel, or has a hyperplane.
func featuresOf(machine any) (d int, known bool) {
	switch m := machine.(type) {
	case *Model:
		return m.features()
	case *kernel.PerceptronModel:
		return m.X.Cols, true
	case interface{ Clone() mlkit.Hyperplane }: // embeds a hyperplane
		return len(m.Clone().W), true
	case interface{ Hyperplane() mlkit.Hyperplane }:
		return len(m.Hyperplane().W), true
	}
	return 0, false
}
