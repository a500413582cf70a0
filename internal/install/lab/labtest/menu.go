//go:build browser

package labtest

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// Submenu opens a menu of the menu bar and the menu in it whose label is given, and
// waits for an entry of the latter with this command.
func Submenu(name, label, command string) chromedp.Action[chromedp.Void] {
	sub := labelled(label)
	return chromedp.Steps(openMenu(name, sub), pick(sub), chromedp.WaitVisible(chromedp.CSS(`.lm-Menu-item[data-command="`+command+`"]`)))
}

// Pick chooses an entry of an open menu by its label.
func Pick(label string) chromedp.Action[chromedp.Void] {
	return chromedp.Steps(pick(labelled(label)), chromedp.WaitNotPresent(chromedp.CSS(`.lm-Menu`)))
}

func labelled(label string) chromedp.Search {
	return chromedp.Search(`//li[contains(@class,"lm-Menu-item")][.//div[text()="` + label + `"]]`)
}

// openMenu clicks on a title of the menu bar and waits for item. A click while the page
// is still being laid out can miss; one that hits has opened the menu when it returns.
func openMenu[S chromedp.Selectable](name string, item S) chromedp.Action[chromedp.Void] {
	title := chromedp.Search(`//li[contains(@class,"lm-MenuBar-item")][.//div[text()="` + name + `"]]`)
	return chromedp.Steps(
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			for {
				if _, err := chromedp.Click(title)(ctx, t); err != nil {
					return err
				}
				if open, err := chromedp.Evaluate[bool](`!!document.querySelector('.lm-Menu')`)(ctx, t); open || err != nil {
					return err
				}
				if _, err := chromedp.Sleep(100*time.Millisecond)(ctx, t); err != nil {
					return err
				}
			}
		}),
		chromedp.WaitVisible(item),
	)
}

// pick moves the mouse to an item of an open menu and clicks, once the menu stands still
// (it is moved to its place after it has appeared) and takes the item for the one that
// the mouse is over.
func pick[S chromedp.Selectable](item S) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for {
			at, err := middle(ctx, t, item)
			if err != nil {
				return err
			}
			if _, err := chromedp.Steps(
				chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0]-3, at[1]),
				chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]),
				chromedp.Sleep(50*time.Millisecond),
			)(ctx, t); err != nil {
				return err
			}
			class, err := chromedp.AttributeValue(item, "class")(ctx, t)
			if err != nil {
				return err
			}
			now, err := middle(ctx, t, item)
			if err != nil {
				return err
			}
			if now == at && slices.Contains(strings.Fields(class.Value), "lm-mod-active") {
				_, err := chromedp.MouseClickXY(at[0], at[1])(ctx, t)
				return err
			}
		}
	})
}

// middle is where the middle of an item is on the page.
func middle[S chromedp.Selectable](ctx context.Context, t *chromedp.Target, item S) (at [2]float64, err error) {
	box, err := chromedp.Dimensions(item)(ctx, t)
	if err == nil {
		at = [2]float64{(box.Content[0] + box.Content[4]) / 2, (box.Content[1] + box.Content[5]) / 2}
	}
	return at, err
}
