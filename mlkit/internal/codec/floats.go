package codec

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
)

// Floats holds numbers that may be infinite or NaN, for which JSON has no syntax. They
// are encoded as the strings "+Inf", "-Inf" and "NaN", as package strconv formats them.
type Floats []float64

// MarshalJSON encodes the numbers as an array, and nil as null.
func (v Floats) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	all := make([]any, len(v))
	for i, x := range v {
		if all[i] = x; Finite("", x) != nil {
			all[i] = fmt.Sprint(x)
		}
	}
	return json.Marshal(all)
}

// UnmarshalJSON decodes the output of MarshalJSON. It returns an error for any other
// string, and for null in place of a number.
func (v *Floats) UnmarshalJSON(data []byte) error {
	var all []any
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	if *v = nil; all != nil {
		*v = make(Floats, len(all))
	}
	for i, x := range all {
		switch x {
		case "+Inf":
			(*v)[i] = math.Inf(1)
		case "-Inf":
			(*v)[i] = math.Inf(-1)
		case "NaN":
			(*v)[i] = math.NaN()
		default:
			number, ok := x.(float64)
			if !ok {
				value, _ := json.Marshal(x)
				return &json.UnmarshalTypeError{Value: "value " + string(value), Type: reflect.TypeFor[float64]()}
			}
			(*v)[i] = number
		}
	}
	return nil
}
