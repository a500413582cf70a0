//go:build unix

package peer_test

var svmModels = []model{}
