package datasets

import (
	_ "embed"
	"sync"
)

//go:embed data/digits.csv.gz
var digitsFile []byte

// Digits returns 1797 handwritten digits of 8×8 pixels, written by 13 people. A pixel
// is the number of black dots in a 4×4 block of the scanned digit, an unscaled integer
// from 0 (white) to 16. Labels are the digits 0 to 9.
//
// The samples are the test part (optdigits.tes) of the data set, as in scikit-learn's
// load_digits.
//
// Sources: E. Alpaydin, C. Kaynak, Optical Recognition of Handwritten Digits, UCI
// Machine Learning Repository, 1998, https://doi.org/10.24432/C50P49, licence CC BY
// 4.0; C. Kaynak, Methods of combining multiple classifiers and their applications
// to handwritten digit recognition, MSc thesis, Boğaziçi University, 1995.
func Digits() *Dataset {
	digits.Do(func() { digits.set = embedded(CSV{}, digitsFile, "digits.csv.gz") })
	d := digits.set.clone()
	d.Name = "digits 8×8"
	d.Source = "E. Alpaydin, C. Kaynak, Optical Recognition of Handwritten Digits, 1998; UCI Machine Learning Repository, CC BY 4.0"
	d.Height, d.Width = 8, 8
	return d
}

// digits is read once. With a variable that holds a sync.OnceValue, the linker would put
// gzip and CSV into every program that imports this package.
var digits struct {
	sync.Once
	set *Dataset
}
