package labtest

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// Menu chooses a command from the menu bar, as a hand does: the menu runs the
// command over which the mouse was last moved, not the one that is clicked.
func Menu(name, command string) chromedp.Action[chromedp.Void] {
	item := chromedp.CSS(`.lm-Menu-item[data-command="` + command + `"]`)
	return chromedp.Steps(openMenu(name, item), pick(item), chromedp.WaitNotPresent(item))
}

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

// openMenu clicks on a title of the menu bar until item is visible: a click while the
// page is still being laid out can miss.
func openMenu[S chromedp.Selectable](name string, item S) chromedp.Action[chromedp.Void] {
	title := chromedp.Search(`//li[contains(@class,"lm-MenuBar-item")][.//div[text()="` + name + `"]]`)
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for {
			if _, err := chromedp.Click(title)(ctx, t); err != nil {
				return err
			}
			short, cancel := context.WithTimeout(ctx, 3*time.Second)
			_, err := chromedp.WaitVisible(item)(short, t)
			cancel()
			if err == nil || ctx.Err() != nil {
				return err
			}
		}
	})
}

// pick moves the mouse to an item of an open menu and clicks.
func pick[S chromedp.Selectable](item S) chromedp.Action[chromedp.Void] {
	return chromedp.Steps(
		chromedp.Sleep(300*time.Millisecond), // it is moved to its place after it has appeared
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			box, err := chromedp.Dimensions(item)(ctx, t)
			if err != nil {
				return err
			}
			x, y := (box.Content[0]+box.Content[4])/2, (box.Content[1]+box.Content[5])/2
			_, err = chromedp.Steps(
				chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x-3, y),
				chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y),
				chromedp.MouseClickXY(x, y),
			)(ctx, t)
			return err
		}),
	)
}
