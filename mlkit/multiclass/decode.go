package multiclass

import (
	"encoding/json"
	"fmt"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/codec"
)

// Machines is how the machines of a model are encoded: together if they are a JointCoder,
// otherwise as an array.
type Machines[M mlkit.ClassifierModel] []M

// MarshalJSON encodes the machines.
func (m Machines[M]) MarshalJSON() ([]byte, error) {
	var zero M
	if joint, ok := any(zero).(JointCoder[M]); ok {
		return joint.MarshalMachines(m)
	}
	return json.Marshal([]M(m))
}

// UnmarshalJSON decodes the machines. It returns an error if one of them is invalid.
func (m *Machines[M]) UnmarshalJSON(data []byte) (err error) {
	var zero M
	if joint, ok := any(zero).(JointCoder[M]); ok {
		*m, err = joint.UnmarshalMachines(data)
		return err
	}
	return codec.Strict(data, (*[]M)(m))
}

type oneVsRestForm[M mlkit.ClassifierModel] struct {
	Classes  []int       `json:"classes"`
	Machines Machines[M] `json:"machines"`
}

func (m *OneVsRestModel[M]) check() error {
	return codec.First(
		codec.Classes("classes", m.Classes),
		codec.Length("machines", len(m.Machines), len(m.Classes), "classes"),
		checkMachines(len(m.Machines), func(k int) any { return m.Machines[k] }),
	)
}

// MarshalJSON encodes the model. What its machines share is encoded once.
func (m OneVsRestModel[M]) MarshalJSON() ([]byte, error) {
	return json.Marshal(oneVsRestForm[M]{m.Classes, m.Machines})
}

// ModelKind names the model in files: see package modelfile.
func (*OneVsRestModel[M]) ModelKind() string {
	return "multiclass.OneVsRestModel[" + codec.Kind[M]() + "]"
}

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *OneVsRestModel[M]) UnmarshalJSON(data []byte) error {
	return codec.DecodeAs(data, m, func(p oneVsRestForm[M]) OneVsRestModel[M] {
		return OneVsRestModel[M]{p.Classes, p.Machines}
	}, (*OneVsRestModel[M]).check)
}

type oneVsOneForm[M mlkit.ClassifierModel] struct {
	Classes  []int       `json:"classes"`
	Pairs    [][2]int    `json:"pairs"`
	Rows     [][]int     `json:"rows"`
	Machines Machines[M] `json:"machines"`
}

func (m *OneVsOneModel[M]) check() error {
	return codec.First(
		codec.Classes("classes", m.Classes),
		checkPairs(m.Classes, m.Pairs),
		codec.Length("machines", len(m.Machines), len(m.Pairs), "pairs"),
		codec.Length("rows", len(m.Rows), len(m.Pairs), "pairs"),
		checkMachines(len(m.Machines), func(k int) any { return m.Machines[k] }),
		checkPairRows(m.Rows),
	)
}

// MarshalJSON encodes the model. What its machines share is encoded once.
func (m OneVsOneModel[M]) MarshalJSON() ([]byte, error) {
	return json.Marshal(oneVsOneForm[M]{m.Classes, m.Pairs, m.Rows, m.Machines})
}

// ModelKind names the model in files: see package modelfile.
func (*OneVsOneModel[M]) ModelKind() string {
	return "multiclass.OneVsOneModel[" + codec.Kind[M]() + "]"
}

// UnmarshalJSON decodes a model, or returns an error and leaves m unchanged.
func (m *OneVsOneModel[M]) UnmarshalJSON(data []byte) error {
	return codec.DecodeAs(data, m, func(p oneVsOneForm[M]) OneVsOneModel[M] {
		return OneVsOneModel[M]{p.Classes, p.Pairs, p.Rows, p.Machines}
	}, (*OneVsOneModel[M]).check)
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

// checkMachines checks that no machine is missing, that each has two classes, and that all take
// the same number of features, as far as these are known. Machines that decode themselves are
// complete.
func checkMachines(count int, machine func(k int) any) error {
	first, features := -1, 0
	for k := range count {
		m := machine(k)
		field := fmt.Sprintf("machines[%d]", k)
		if err := codec.First(codec.NotNull(field, m, "a machine"), codec.TwoClasses(field, m)); err != nil {
			return err
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

// featuresOf returns the number of features that a machine takes, if it says so.
func featuresOf(machine any) (d int, known bool) {
	if m, ok := machine.(interface{ Inputs() int }); ok {
		return m.Inputs(), m.Inputs() > 0
	}
	return 0, false
}
