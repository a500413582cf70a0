package mlkittest

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"reflect"

	"marginalia/mlkit"
)

// roundTrip is the rule that a model comes back from its encoding as it was.
func roundTrip[M mlkit.Classifier](through func(M) (M, error)) func(fitter[M]) error {
	return func(fit fitter[M]) error {
		X, _, m, err := fitClouds(fit)
		if err != nil {
			return err
		}
		back, err := through(m)
		if err != nil {
			return err
		}
		if err := sameScores(m.Scores(nil, X), back.Scores(nil, X)); err != nil {
			return err
		}
		if !reflect.DeepEqual(m, back) {
			return fmt.Errorf("the model %+v came back as %+v", m, back)
		}
		return nil
	}
}

func viaGob[M mlkit.Classifier](m M) (back M, err error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(m); err != nil {
		return back, err
	}
	err = gob.NewDecoder(&b).Decode(&back)
	return back, err
}

func viaJSON[M mlkit.Classifier](m M) (back M, err error) {
	b, err := json.Marshal(m)
	if err != nil {
		return back, err
	}
	err = json.Unmarshal(b, &back)
	return back, err
}
