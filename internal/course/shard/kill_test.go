package shard

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"testing"
	"time"

	"marginalia/internal/gradebook"
	"marginalia/internal/tier"
)

// TestMain makes this binary the merger that TestKilled kills.
func TestMain(m *testing.M) {
	if book := os.Getenv("MARGINALIA_SHARD_BOOK"); book != "" {
		files, err := Files(os.Getenv("MARGINALIA_SHARD_FILES"))
		b, opened := gradebook.Open(context.Background(), book)
		if err = errors.Join(err, opened); err == nil {
			fmt.Println("begins")
			_, err = Merge(context.Background(), b, files, v1)
		}
		fmt.Println(err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Merges that are killed at random leave nothing that one which comes to its end does not
// mend: the book is the one of a single merge.
func TestKilled(t *testing.T) {
	kills := 5
	if tier.IsLong(t) {
		kills = 100
	}
	dir := t.TempDir()
	for i := range 40 {
		if _, err := Write(dir, result(fmt.Sprint("s", i), i%5, float64(i%4))); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	single := book(t)
	merge(t, single, files...)
	random := rand.New(rand.NewPCG(3, 4))
	b := book(t)
	for range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "MARGINALIA_SHARD_BOOK="+b.Path(), "MARGINALIA_SHARD_FILES="+dir)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		out.Read(make([]byte, 6)) // it begins
		time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if half := inBook(t, b); len(half) > 40 {
			t.Fatalf("%d submissions of 40", len(half))
		}
	}
	merge(t, b, files...)
	if got, want := inBook(t, b), inBook(t, single); !reflect.DeepEqual(got, want) {
		t.Errorf("after %d kills the book has\n%q\nwant\n%q", kills, got, want)
	}
}
