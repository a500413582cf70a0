package datasets

import (
	"bytes"
	_ "embed"
	"fmt"
	"sync"
)

//go:embed data/iris.csv.gz
var irisFile []byte

// Iris returns Fisher's 150 irises: length and width of sepal and petal in cm, of 50
// flowers each of setosa (label 0), versicolor (1) and virginica (2), in this order.
// Setosa is linearly separable from the others; versicolor and virginica are not
// linearly separable from each other.
//
// The numbers are those of Fisher's paper, as in bezdekIris.data of the UCI repository,
// in R, and in scikit-learn since 0.20. The file iris.data of the UCI repository differs
// in two rows, counted from 0: row 34 is (4.9, 3.1, 1.5, 0.2) here and (4.9, 3.1, 1.5,
// 0.1) there; row 37 is (4.9, 3.6, 1.4, 0.1) here and (4.9, 3.1, 1.5, 0.1) there.
//
// Sources: R. A. Fisher, The use of multiple measurements in taxonomic problems,
// Annals of Eugenics 7, 1936, 179-188; Iris, UCI Machine Learning Repository, 1988,
// https://doi.org/10.24432/C56C76, licence CC BY 4.0.
func Iris() *Dataset {
	iris.Do(func() { iris.set = embedded(CSV{Header: true}, irisFile, "iris.csv.gz") })
	d := iris.set.clone()
	d.Name = "Iris"
	d.Source = "R. A. Fisher, The use of multiple measurements in taxonomic problems, 1936; UCI Machine Learning Repository, CC BY 4.0"
	return d
}

var iris struct { // see digits
	sync.Once
	set *Dataset
}

// embedded reads an embedded file. It panics if the file is malformed, which the tests
// rule out.
func embedded(c CSV, file []byte, name string) *Dataset {
	r, err := uncompressed(bytes.NewReader(file))
	if err != nil {
		panic(fmt.Sprintf("datasets: embedded %s: %v", name, err))
	}
	return Must(c.Read(r, name))
}
