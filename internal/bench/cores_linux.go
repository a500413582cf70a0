package main

import (
	"strconv"

	"golang.org/x/sys/unix"
)

// allowedCores are the numbers of the processors that this process may run on.
func allowedCores() (cores []string) {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	for cpu := 0; len(cores) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			cores = append(cores, strconv.Itoa(cpu))
		}
	}
	return cores
}
