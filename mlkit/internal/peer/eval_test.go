//go:build unix

package peer_test

var evalModels = []model{}
