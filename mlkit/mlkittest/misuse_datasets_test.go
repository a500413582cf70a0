package mlkittest_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit/mlkittest"
)

// Package datasets keeps the same promise. Its test is here because datasets imports
// nothing from mlkit.
func TestMisuseOfDatasets(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	counts := []int{0, 1, 2, -1, 10, 1 << 40, 1 << 60, math.MaxInt, math.MinInt}
	floats := []float64{0, 1, -1, nan, inf, -inf, 5e-324, math.MaxFloat64}
	texts := []string{"", "\n", "1", "1,2", "1,2\n3,4\n", "a,b\n1,2\n", "\"", "\ufeff", "\x00,\xff\n", "1 1:1\n", "1 1:1 9223372036854775807:1", "nan,nan\n", ",a,b\n1,x,\n2,y,3\n", "@relation r\n@attribute a {x,y}\n@attribute b real\n@data\nx,1\ny,?\n", "\x93NUMPY\x01\x00\x01\x00{", "PK\x03\x04", "\x00\x00\x08\x01\xff\xff\xff\xff", "\x1f\x8b"}
	regression := &datasets.Dataset{X: mat.NewDense(2, 1, []float64{1, 2}), Targets: []float64{1, 2}}
	sets := []*datasets.Dataset{nil, {}, datasets.CMUSix(), regression, {X: new(mat.Dense)}, {X: mat.NewDense(2, 1, nil), Y: []int{1}}, {X: mat.NewDense(1, 1, nil), Y: []int{1}, Features: []string{"a", "b"}},
		{X: mat.NewDense(1, 1, nil), Y: []int{1}, Targets: []float64{1}}, {X: mat.NewDense(1, 1, nil), Y: []int{1}, Labels: []int{1}}}
	nothing := []func(){func() {}} // without arguments nothing can be misused
	calls := map[string][]func(){
		"MNIST": nothing, "HaveMNIST": nothing, "Iris": nothing, "Digits": nothing, "CMUSix": nothing, "TheodoridisFour": nothing,
		"TheodoridisTen": nothing, "And": nothing, "Or": nothing, "Xor": nothing, "Not": nothing,
	}
	add := func(name string, f func()) { calls[name] = append(calls[name], f) }
	for _, path := range []string{"", "/", "\x00", "none"} {
		add("CSV.Open", func() { _, _ = datasets.CSV{}.Open(path) })
		add("LIBSVM.Open", func() { _, _ = datasets.LIBSVM{}.Open(path) })
		add("OpenLIBSVM", func() { _, _ = datasets.OpenLIBSVM(path, 0) })
		add("OpenIDX", func() { _, _ = datasets.OpenIDX(path) })
		add("ARFF.Open", func() { _, _ = datasets.ARFF{}.Open(path) })
		add("NumPy.Open", func() { _, _ = datasets.NumPy{Y: path}.Open(path) })
	}
	add("CSV.Read", func() { _, _ = datasets.CSV{}.Read(nil, "") })
	add("LIBSVM.Read", func() { _, _ = datasets.LIBSVM{}.Read(nil, "") })
	add("ReadLIBSVM", func() { _, _ = datasets.ReadLIBSVM(nil, "", 0) })
	add("ReadIDX", func() { _, _ = datasets.ReadIDX(nil, "") })
	add("ARFF.Read", func() { _, _ = datasets.ARFF{}.Read(nil, "") })
	add("NumPy.Read", func() { _, _ = datasets.NumPy{}.Read(nil, "") })
	for _, text := range texts {
		for _, label := range append(texts, "0", "-1", "2") {
			for _, header := range []bool{false, true} {
				for _, comma := range []rune{0, ';', '\n', '"', -1, 0xfffd} {
					for _, task := range []datasets.Task{0, 1, 2, -1, 3} {
						add("CSV.Read", func() {
							_, _ = datasets.CSV{Comma: comma, Comment: comma, Header: header, Label: label, Task: task}.Read(strings.NewReader(text), "")
						})
					}
				}
				for _, like := range sets {
					add("CSV.Read", func() {
						_, _ = datasets.CSV{Header: header, Label: label, Like: like}.Read(strings.NewReader(text), "")
					})
				}
			}
		}
		for _, columns := range [][]string{nil, {}, {"1"}, {"2", "a"}, {"1", "1"}, {""}, {"-1"}} {
			for _, missing := range []datasets.Missing{-1, datasets.Refuse, datasets.DropRows, datasets.FillMean, datasets.FillValue} {
				for _, encode := range []datasets.Encoding{-1, datasets.NoEncoding, datasets.OneHot, datasets.Dummies} {
					for _, like := range sets[2:4] {
						add("CSV.Read", func() {
							_, _ = datasets.CSV{Header: true, Columns: columns, Categories: columns, NA: columns, Missing: missing, Encode: encode, Like: like}.Read(strings.NewReader(text), "")
							_, _ = datasets.CSV{Drop: columns, RowNames: "1", Missing: missing, Encode: encode}.Read(strings.NewReader(text), "")
						})
						add("ARFF.Read", func() {
							_, _ = datasets.ARFF{Drop: columns, Categories: columns, Missing: missing, Encode: encode}.Read(strings.NewReader(text), "")
							_, _ = datasets.ARFF{Columns: columns, NA: columns, Missing: missing, Encode: encode, Like: like}.Read(strings.NewReader(text), "")
						})
					}
				}
				for _, like := range sets {
					add("NumPy.Read", func() {
						_, _ = datasets.NumPy{Label: "1", Missing: missing, Fill: 1, Like: like}.Read(strings.NewReader(text), "")
					})
				}
			}
		}
		for _, n := range counts {
			add("CSV.Read", func() { _, _ = datasets.CSV{Skip: n}.Read(strings.NewReader(text), "") })
		}
		for _, classes := range [][]string{{}, {"1"}, {"1", "1"}, {"2", ""}} {
			add("CSV.Read", func() { _, _ = datasets.CSV{Classes: classes}.Read(strings.NewReader(text), "") })
		}
		for _, n := range counts {
			add("ReadLIBSVM", func() { _, _ = datasets.ReadLIBSVM(strings.NewReader(text), "", n) })
			for _, like := range sets {
				add("LIBSVM.Read", func() { _, _ = datasets.LIBSVM{Features: n, Like: like}.Read(strings.NewReader(text), "") })
			}
		}
		add("ReadIDX", func() { _, _ = datasets.ReadIDX(strings.NewReader(text), "") })
	}
	for _, typ := range []datasets.IDXType{0, datasets.IDXUint8, datasets.IDXFloat64, 0xff} {
		add("IDX.Float64s", func() { (&datasets.IDX{Type: typ, Data: make([]byte, 9), Shape: []int{-1}}).Float64s() })
	}
	for _, n := range counts {
		add("MNISTOnly", func() { _, _, _ = datasets.MNISTOnly(10, n) })
		for _, v := range floats {
			add("Moons", func() { _, _ = datasets.Moons(0, n, v) })
			add("Rings", func() { _, _ = datasets.Rings(0, n, v) })
			for _, u := range floats {
				add("Separable", func() { _, _ = datasets.Separable(0, n, []float64{u, v}, v, u) })
				add("Separable", func() { _, _ = datasets.Separable(0, n, nil, v, u) })
				add("Separable", func() { _, _ = datasets.Separable(0, n, []float64{1}, u, v) })
			}
		}
	}
	add("Must", func() { datasets.Must(datasets.CMUSix().Head(0)) })
	for _, d := range sets {
		if d != nil {
			add("Dataset.Len", func() { d.Len() })
			add("Dataset.Class", func() { d.Class(1) })
			add("Dataset.Count", func() { d.Count(1) })
		}
		add("Dataset.Describe", func() { d.Describe() })
		add("Dataset.Subset", func() { _, _ = d.Subset(nil) })
		add("Dataset.Columns", func() { _, _ = d.Columns() })
		add("Dataset.Select", func() { _, _ = d.Select() })
		for _, n := range counts {
			add("Dataset.Subset", func() { _, _ = d.Subset([]int{n, 0}) })
			add("Dataset.Head", func() { _, _ = d.Head(n) })
			add("Dataset.Columns", func() { _, _ = d.Columns(n, 0) })
			add("Dataset.Select", func() { _, _ = d.Select(n, 1) })
			add("Dataset.Binary", func() { _, _ = d.Binary(n, 1) })
			add("Dataset.Split", func() { _, _, _ = d.Split(0, n) })
		}
	}
	add("Description.String", func() { _ = datasets.Description{}.String() })
	for _, v := range floats {
		d := &datasets.Dataset{X: mat.NewDense(2, 2, []float64{v, -v, v, 1}), Targets: []float64{v, 0}}
		add("Description.String", func() { _ = d.Describe().String() })
	}
	if err := mlkittest.TestMisuse("../../datasets", calls); err != nil {
		t.Error(err)
	}
}
