package datasets_test

import (
	"fmt"
	"log"
	"strings"

	"marginalia/datasets"
)

// The weights are those of the lecture: (1, -2), (2, -1), (3, 1).
func ExampleCMUSix() {
	d := datasets.CMUSix()
	w := [2]float64{}
	for i, y := range d.Y {
		x := d.X.RawRowView(i)
		predicted := -1
		if w[0]*x[0]+w[1]*x[1] >= 0 {
			predicted = +1
		}
		if predicted != y {
			w[0] += float64(y) * x[0]
			w[1] += float64(y) * x[1]
		}
		fmt.Printf("%v %s w = %v\n", x, d.Class(y), w)
	}
	// Output:
	// [-1 2] - w = [1 -2]
	// [1 0] + w = [1 -2]
	// [1 1] + w = [2 -1]
	// [-1 0] - w = [2 -1]
	// [-1 -2] - w = [3 1]
	// [1 -1] + w = [3 1]
}

func ExampleIris() {
	d := datasets.Iris()
	fmt.Println(d.Len(), "samples of", strings.Join(d.Classes, ", "))
	for j, name := range d.Features {
		fmt.Println(name, d.X.At(0, j))
	}
	// Output:
	// 150 samples of setosa, versicolor, virginica
	// sepal length (cm) 5.1
	// sepal width (cm) 3.5
	// petal length (cm) 1.4
	// petal width (cm) 0.2
}

func ExampleDigits() {
	d := datasets.Digits()
	x := d.X.RawRowView(0)
	for i := range d.Height {
		for j := range d.Width {
			fmt.Print(string(" .:-=+*#%"[int(x[i*d.Width+j])/2]))
		}
		fmt.Println("|")
	}
	fmt.Println("this is a", d.Class(d.Y[0]))
	// Output:
	//   :*=   |
	//   *#+#: |
	//  .#. += |
	//  :*  == |
	//  :=  == |
	//  :+  *- |
	//  .#:+*  |
	//   -*+   |
	// this is a 0
}

func ExampleDataset_Binary() {
	iris := datasets.Must(datasets.Iris().Binary(0, 2))
	petals := datasets.Must(iris.Columns(2, 3))
	fmt.Println(petals.Features)
	for _, i := range []int{0, 99} {
		y := petals.Y[i]
		fmt.Printf("%v %+d %s\n", petals.X.RawRowView(i), y, petals.Class(y))
	}
	// Output:
	// [petal length (cm) petal width (cm)]
	// [1.4 0.2] -1 setosa
	// [5.1 1.8] +1 virginica
}

// The error gives the missing label and the labels that exist.
func ExampleDataset_Select() {
	_, err := datasets.Iris().Select(0, 3)
	fmt.Println(err)
	// Output:
	// datasets: Select from Iris: no sample has label 3; there are [0 1 2]
}

func ExampleSeparable() {
	// The line x₁ = 2, and the nearest points at distance 1/2.
	d := datasets.Must(datasets.Separable(1, 100, []float64{1, 0}, -2, 0.5))
	left, right := 0.0, 4.0
	for i, y := range d.Y {
		x1 := d.X.At(i, 0)
		if y < 0 {
			left = max(left, x1)
		} else {
			right = min(right, x1)
		}
	}
	fmt.Printf("-1 up to x₁ = %.3f, +1 from x₁ = %.3f\n", left, right)
	// Output:
	// -1 up to x₁ = 1.500, +1 from x₁ = 2.500
}

func ExampleCSV_Read() {
	const table = `height,width,kind
1.5,2,round
3,oops,square
`
	_, err := datasets.CSV{Header: true}.Read(strings.NewReader(table), "shapes.csv")
	fmt.Println(err)
	d, err := datasets.CSV{Header: true}.Read(strings.NewReader(strings.Replace(table, "oops", "4", 1)), "shapes.csv")
	fmt.Println(d.Features, d.Classes, d.Y, err)
	// Output:
	// datasets: shapes.csv:3:3: "oops" is not a finite number, in column 2, "width"; correct it, list it in NA if it marks a missing value, or leave the column out with Drop
	// [height width] [round square] [-1 1] <nil>
}

// A test file has its classes in another order, and they keep the labels of the training
// file. An unknown class is an error.
func ExampleCSV_like() {
	train, err := datasets.CSV{}.Read(strings.NewReader("1,a\n2,b\n3,c\n"), "train.csv")
	if err != nil {
		log.Fatal(err)
	}
	test, err := datasets.CSV{Like: train}.Read(strings.NewReader("5,c\n4,b\n"), "test.csv")
	fmt.Println(train.Y, test.Y, test.Classes, err)
	_, err = datasets.CSV{Like: train}.Read(strings.NewReader("5,c\n4,d\n"), "test.csv")
	fmt.Println(err)
	// Output:
	// [0 1 2] [2 1] [a b c] <nil>
	// datasets: test.csv:2:3: class "d" is none of those of train.csv: ["a" "b" "c"]
}

// Numbers that are not all integers are targets.
func ExampleCSV_regression() {
	d, err := datasets.CSV{Header: true}.Read(strings.NewReader("bmi,progression\n32.1,151\n21.6,75.5\n"), "diabetes.csv")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Targets, d.Y)
	// Output:
	// [151 75.5] []
}

// A table as it comes from a spreadsheet in Germany: names, text, gaps, decimal commas.
// Dummies makes one column of the two sexes, and two of the three islands.
func ExampleCSV_encode() {
	const table = `number;island;bill;sex;species
1;Torgersen;39,1;male;Adelie
2;Biscoe;37,8;female;Adelie
3;Dream;NA;female;Chinstrap
4;Dream;46,5;female;Chinstrap
`
	c := datasets.CSV{
		Comma: ';', Decimal: ',', Header: true, Drop: []string{"number"},
		Encode: datasets.Dummies, Missing: datasets.DropRows,
	}
	d, err := c.Read(strings.NewReader(table), "penguins.csv")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Len(), "samples,", d.LeftOut, "left out")
	fmt.Println(strings.Join(d.Features, ", "))
	for i, y := range d.Y {
		fmt.Println(d.X.RawRowView(i), d.Class(y))
	}
	c.Missing = datasets.Refuse
	_, err = c.Read(strings.NewReader(table), "penguins.csv")
	fmt.Println(err)
	// Output:
	// 3 samples, 1 left out
	// island=Dream, island=Torgersen, bill, sex=male
	// [0 1 39.1 1] Adelie
	// [0 0 37.8 0] Adelie
	// [1 0 46.5 0] Chinstrap
	// datasets: penguins.csv:4:9: a value is missing ("NA"), in column 3, "bill" (if "NA" is a value, list in NA what marks missing ones); set Missing to DropRows or FillMean, or leave the column out with Drop
}

// R's write.csv puts the names of the rows first, in a column without a name.
func ExampleCSV_rowNames() {
	const table = `"","hp","mpg"
"Mazda RX4",110,21
"Fiat 128",66,32.4
`
	d, err := datasets.CSV{Header: true}.Read(strings.NewReader(table), "mtcars.csv")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Features, d.RowNames[1], d.X.At(1, 0), d.Targets[1])
	// Output:
	// [hp] Fiat 128 66 32.4
}

func ExampleARFF_Read() {
	const file = `@relation weather
@attribute outlook {sunny, overcast, rainy}
@attribute wind numeric
@attribute play {yes, no}
@data
overcast, 3.5, yes
sunny, ?, no
`
	d, err := datasets.ARFF{Encode: datasets.OneHot, Missing: datasets.FillMean}.Read(strings.NewReader(file), "weather.arff")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Features)
	for i, y := range d.Y {
		fmt.Println(d.X.RawRowView(i), d.Class(y))
	}
	// Output:
	// [outlook=sunny outlook=overcast outlook=rainy wind]
	// [0 1 0 3.5] yes
	// [1 0 0 3.5] no
}

// The file is that of numpy.save("t.npy", numpy.array([[1, 2, 0], [3, 4, 1]], dtype="i1")).
func ExampleNumPy_Read() {
	const file = "\x93NUMPY\x01\x00\x3c\x00{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }\n" +
		"\x01\x02\x00\x03\x04\x01"
	d, err := datasets.NumPy{}.Read(strings.NewReader(file), "t.npy")
	if err != nil {
		log.Fatal(err)
	}
	for i, y := range d.Y {
		fmt.Printf("%+d %v\n", y, d.X.RawRowView(i))
	}
	// Output:
	// -1 [1 2]
	// +1 [3 4]
}

// scikit-learn counts features from 0, and the file does not say so.
func ExampleLIBSVM_Read() {
	const file = "1 0:0.5 2:2\n-1 1:1\n"
	_, err := datasets.LIBSVM{}.Read(strings.NewReader(file), "dump.svm")
	fmt.Println(err)
	d, err := datasets.LIBSVM{ZeroBased: true, Features: 4}.Read(strings.NewReader(file), "dump.svm")
	fmt.Println(d.X.RawRowView(0), err)
	// Output:
	// datasets: dump.svm:1:3: index 0, want at least 1; set ZeroBased if the file counts from 0, as scikit-learn's dump_svmlight_file does by default
	// [0.5 0 2 0] <nil>
}

func ExampleReadLIBSVM() {
	d, err := datasets.ReadLIBSVM(strings.NewReader("+1 1:0.5 3:2\n-1 2:1\n"), "two lines", 0)
	if err != nil {
		log.Fatal(err)
	}
	for i, y := range d.Y {
		fmt.Printf("%+d %v\n", y, d.X.RawRowView(i))
	}
	// Output:
	// +1 [0.5 0 2]
	// -1 [0 1 0]
}

func ExampleReadIDX() {
	x, err := datasets.ReadIDX(strings.NewReader("\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x03abcdef"), "letters")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v %q\n", x.Shape, x.Data)
	// Output:
	// [2 3] "abcdef"
}

// Two digits of MNIST with labels -1 and +1, as the perceptron needs them.
func ExampleMNISTOnly() {
	train, test, err := datasets.MNISTOnly(0, 1)
	if err != nil {
		log.Fatal(err)
	}
	train = datasets.Must(train.Binary(0, 1))
	test = datasets.Must(test.Binary(0, 1))
	fmt.Println(train.Len(), test.Len())
}

// R's summary(iris) has the same numbers, with four digits.
func ExampleDataset_Describe() {
	fmt.Println(datasets.Iris().Describe())
	// Output:
	// Iris: 150 samples, 4 columns
	// classes: setosa (0): 50, versicolor (1): 50, virginica (2): 50
	// column             mean   std     min  25 %  median  75 %  max  distinct
	// sepal length (cm)  5.843  0.8281  4.3  5.1   5.8     6.4   7.9  35
	// sepal width (cm)   3.057  0.4359  2    2.8   3       3.3   4.4  23
	// petal length (cm)  3.758  1.765   1    1.6   4.35    5.1   6.9  43
	// petal width (cm)   1.199  0.7622  0.1  0.3   1.3     1.8   2.5  22
}
