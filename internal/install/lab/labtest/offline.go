//go:build browser

package labtest

import (
	"context"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Offline refuses all that the pages of a window ask other computers for from now on,
// and returns the addresses.
func Offline(ctx context.Context, t *testing.T) (asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var addresses []string
	if err := chromedp.Listen(ctx, func(event any) {
		if paused, ok := event.(*fetch.EventRequestPaused); ok {
			mu.Lock()
			addresses = append(addresses, paused.Request.URL)
			mu.Unlock()
			// A listener must not wait for the browser, which waits for it.
			go func() {
				_, _ = chromedp.Call(ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: paused.RequestID, ErrorReason: network.ErrorReasonInternetDisconnected})
			}()
		}
	}); err != nil {
		t.Fatal(err)
	}
	patterns := []*fetch.RequestPattern{{URLPattern: "http://*"}, {URLPattern: "https://*"}}
	if _, err := chromedp.Call(ctx, fetch.Enable, fetch.EnableParams{Patterns: patterns}); err != nil {
		t.Fatal(err)
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), addresses...)
	}
}

// Typeset waits until MathJax has gone through the page that is open, and returns the
// number of formulas that it shows and what it says of those that it could not read.
func Typeset(ctx context.Context, t *testing.T) (formulas int, faults []string) {
	t.Helper()
	Wait(ctx, t, "the formulas", `await window.MathJax?.startup?.promise.catch(() => {}), true`)
	page, err := chromedp.Run(ctx, chromedp.Evaluate[struct {
		Shown  int
		Faults []string
	}](`({
		Shown: [...document.querySelectorAll('mjx-container > svg')].filter(f => parseFloat(f.getAttribute('width')) > 0).length,
		Faults: [...document.querySelectorAll('[data-mml-node="merror"]')].map(e => e.getAttribute('data-mjx-error') ?? e.textContent),
	})`))
	if err != nil {
		t.Fatal(err)
	}
	return page.Shown, page.Faults
}
