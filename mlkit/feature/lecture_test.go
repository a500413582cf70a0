package feature_test

import (
	"testing"

	"marginalia/datasets"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/perceptron"
)

// eightErrors trains a perceptron to tell an 8 from the other digits, on the pixels and
// count products of random pairs (EE-559), and counts its errors on both sets.
func eightErrors(t *testing.T, train, test *datasets.Dataset, count int) (trained, tested int) {
	t.Helper()
	_, d := train.X.Dims()
	phi := testkit.Try(feature.NewProducts(d, count, 1)).Or(t)
	s := testkit.Try(feature.MinMax{}.Fit(train.X)).Or(t)
	chain := testkit.Try(feature.NewChain(s, phi)).Or(t)
	wrong := func(m *perceptron.Model, d *datasets.Dataset) (errors int) {
		Z := testkit.Try(feature.Apply(chain, d.X)).Or(t)
		for i, y := range m.Predictions(nil, Z) {
			if (y == 1) != (d.Y[i] == 8) {
				errors++
			}
		}
		return errors
	}
	Z := testkit.Try(feature.Apply(chain, train.X)).Or(t)
	y := make([]int, len(train.Y))
	for i, label := range train.Y {
		y[i] = -1
		if label == 8 {
			y[i] = 1
		}
	}
	m, err := perceptron.Perceptron{MaxIter: 60}.Fit(Z, y)
	if m == nil {
		t.Fatal(err)
	}
	return wrong(m, train), wrong(m, test)
}

// Products of pixels make the training samples separable and reduce the test error
// (EE-559, "8" against the other classes).
func TestEightDigits(t *testing.T) {
	digits := datasets.Digits()
	train, test, err := digits.Split(1, 1200)
	if err != nil {
		t.Fatal(err)
	}
	trained, plain := eightErrors(t, train, test, 0)
	with, better := eightErrors(t, train, test, 1000)
	if trained == 0 || with != 0 {
		t.Errorf("training errors %d without and %d with products, want some and none", trained, with)
	}
	if better*2 > plain {
		t.Errorf("test errors %d without and %d with products, want at most half as many", plain, better)
	}
}

// The same on the first 4000 digits of each part of MNIST. As in EE-559's figure, more
// products give fewer errors on both sets.
func TestEightMNIST(t *testing.T) {
	testkit.Long(t)
	if !datasets.HaveMNIST() {
		t.Fatal("the files of MNIST are missing; see package datasets")
	}
	all, test, err := datasets.MNIST()
	if err != nil {
		t.Fatal(err)
	}
	train := testkit.Try(all.Head(4000)).Or(t)
	test = testkit.Try(test.Head(4000)).Or(t)
	trained, plain := eightErrors(t, train, test, 0)
	with, better := eightErrors(t, train, test, 2000)
	if with*5 > trained || better*5 > plain*4 {
		t.Errorf("training errors %d without and %d with products, test errors %d and %d, want at most a fifth, and four fifths", trained, with, plain, better)
	}
}
