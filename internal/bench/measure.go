package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strings"
)

// A result is what a case came to.
type result struct {
	Case, Title string
	N, D, Cores int
	PerPass     bool
	Sides       []record
}

// A record is what a side needed for a case, in all rounds.
type record struct {
	Side, Family, Version string

	Times        []float64 // seconds of a round: of the processors on one core, of the clock on more
	PredictTimes []float64 // the same of the prediction, if the case has one
	Peak         int64     // bytes, the largest of the rounds
	Passes       int       // if the model counts them
	Objective    float64   // of the last round
	Errors       float64   // part of the test samples that were classified wrongly
	Refused      string    // why the times do not count
	objectives   []float64 // of all rounds
}

// tolerance is the relative difference of objectives above which a time does not count.
const tolerance = 1e-5

// A bench measures cases.
type bench struct {
	sides  sides
	folder string // of the samples
	rounds int
	log    io.Writer // a line for each measurement
}

// measure lets every side of the case solve it in turn, round after round, and
// checks each solution.
func (b bench) measure(ctx context.Context, c benchCase) (result, error) {
	t := task{Model: c.Model, Params: c.Params}
	var err error
	if t.Train, err = store(b.folder, c.Train); err != nil {
		return result{}, err
	}
	if c.Test != nil {
		test, err := store(b.folder, *c.Test)
		if err != nil {
			return result{}, err
		}
		t.Test = &test
	}
	train, test, err := t.load()
	if err != nil {
		return result{}, err
	}
	cores := max(1, c.Cores)
	r := result{Case: c.Name, Title: c.Title, N: t.Train.N, D: t.Train.D, Cores: cores, PerPass: c.PerPass}
	sides := b.sides.of(c)
	for _, side := range sides {
		r.Sides = append(r.Sides, record{Side: side.Name, Family: side.Family})
	}
	judge := judge{model: models[c.Model], train: train, test: test, known: map[[32]byte]verdict{}}
	for round := range b.rounds {
		for k := range sides {
			k := (k + round) % len(sides) // each is first in its turn
			to := &r.Sides[k]
			if to.Refused != "" {
				continue
			}
			own := t
			own.Variant = sides[k].Variant
			s, err := solve(ctx, sides[k], own, cores)
			if ctx.Err() != nil {
				return r, ctx.Err()
			}
			if err != nil {
				to.Refused = err.Error()
			} else {
				to.add(s, cores, judge.value(own, s))
				to.Errors = wrong(s.Labels, test.y)
			}
			fmt.Fprintf(b.log, "%s %d/%d %s: %s\n", c.Name, round+1, b.rounds, to.Side, to.last())
		}
	}
	compare(r.Sides, models[c.Model].exact)
	return r, nil
}

// add adds a round.
func (r *record) add(s solution, cores int, v verdict) {
	fit, predict := s.CPU, s.PredictCPU
	if cores > 1 {
		fit, predict = s.Wall, s.PredictWall
	}
	r.Times = append(r.Times, fit)
	if s.PredictWall > 0 {
		r.PredictTimes = append(r.PredictTimes, predict)
	}
	r.Version, r.Passes, r.Peak = s.Version, s.Passes, max(r.Peak, s.Peak)
	if v.err != nil {
		r.Refused = "no solution: " + v.err.Error()
		return
	}
	r.Objective = v.value
	r.objectives = append(r.objectives, v.value)
}

// last says how the last round went.
func (r *record) last() string {
	if len(r.Times) == 0 {
		return r.Refused
	}
	return strings.TrimSpace(fmt.Sprintf("%.4g s, %d MB, objective %.9g %s", r.Times[len(r.Times)-1], r.Peak>>20, r.Objective, r.Refused))
}

// wrong is the part of the predicted labels that are not those of the test samples, y;
// 0 if labels are not what is predicted.
func wrong(labels, y []int) float64 {
	if len(labels) != len(y) || len(y) == 0 {
		return 0
	}
	count := 0
	for i, y := range y {
		if labels[i] != y {
			count++
		}
	}
	return float64(count) / float64(len(labels))
}

// solve starts the side's program, on its cores, with the task.
func solve(ctx context.Context, s side, t task, cores int) (solution, error) {
	command, err := pinned(cores, s.command)
	if err != nil {
		return solution{}, err
	}
	in, err := json.Marshal(t)
	if err != nil {
		return solution{}, err
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = environment(cores)
	cmd.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		return solution{}, fmt.Errorf("did not solve it: %s (%w)", lines[len(lines)-1], err)
	}
	var answer solution
	if err := json.Unmarshal(out, &answer); err != nil {
		return solution{}, fmt.Errorf("did not answer: %w", err)
	}
	return answer, nil
}

// A judge evaluates solutions; one that it has seen it knows.
type judge struct {
	model       model
	train, test samples
	known       map[[32]byte]verdict
}

type verdict struct {
	value float64
	err   error
}

func (j judge) value(t task, s solution) verdict {
	learnt := s
	learnt.Wall, learnt.CPU, learnt.PredictWall, learnt.PredictCPU, learnt.Peak = 0, 0, 0, 0, 0
	b, err := json.Marshal(learnt)
	if err != nil {
		return verdict{err: err}
	}
	key := sha256.Sum256(b)
	v, ok := j.known[key]
	if !ok {
		v.value, v.err = j.model.objective(t, j.train, j.test, s)
		if v.err == nil && (math.IsNaN(v.value) || math.IsInf(v.value, 0)) {
			v.err = fmt.Errorf("its objective is %g", v.value)
		}
		j.known[key] = v
	}
	return v
}

// compare refuses the times of the sides whose objective, in any round, is more than
// the tolerance above the lowest one. If it has to be exact, all are held against
// scikit-learn, or the first that has one, and may not be below it either.
func compare(sides []record, exact bool) {
	best, of := math.Inf(1), ""
	for _, s := range sides {
		if s.Refused != "" {
			continue
		}
		for _, v := range s.objectives {
			if !exact && v < best || exact && (of == "" || s.Family == scikit) {
				best, of = v, s.Side
			}
		}
	}
	for k := range sides {
		s := &sides[k]
		for _, v := range s.objectives {
			above := (v - best) / max(math.Abs(best), math.SmallestNonzeroFloat64)
			if s.Refused == "" && (above > tolerance || exact && above < -tolerance) {
				s.Refused = fmt.Sprintf("objective %.9g, that of %s is %.9g: apart by %.2g", v, of, best, above)
			}
		}
	}
}
