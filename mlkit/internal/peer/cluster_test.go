//go:build unix

package peer_test

var clusterModels = []model{}
