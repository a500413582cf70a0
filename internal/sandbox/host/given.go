package host

import "reflect"

// given are the notebook's package variables in the judge's program. They are as new for each test: a student's code that was
// handed one could leave in it what it was called with, and an answer that works in place would fail the tests behind it.
var given struct {
	renew     func(used bool)
	variables []interface{}
	used      bool // a test has run
}

// Given tells the package variables of the notebook, as pointers, and the function that initialises them, if they have been used,
// and calls the functions init.
func Given(renew func(used bool), variables ...interface{}) {
	given.renew, given.variables, given.used = renew, variables, false
}

// renewGiven makes the variables as they are when the program starts. What can be done once in a process, such as to declare a flag,
// panics: then only another process has them as new.
func renewGiven() (renewed bool) {
	if given.renew == nil {
		return true
	}
	if given.used {
		defer func() { renewed = recover() == nil }()
		for _, v := range given.variables {
			reflect.ValueOf(v).Elem().SetZero()
		}
	}
	given.renew(given.used)
	given.used = true
	return true
}
