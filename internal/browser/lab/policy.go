package lab

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// policy has the lab load nothing from elsewhere, and run no script of its outputs, whatever a notebook shows. Of the
// scripts in the page, %s are the hashes. JupyterLab writes styles into the page, and checks settings by functions that it
// makes of their schemas.
const policy = "default-src 'self'; base-uri 'self'; form-action 'none'; script-src 'self' 'unsafe-eval'%s; worker-src 'self' blob:; " +
	"style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data: blob:; media-src 'self' data: blob:; frame-src 'self' data: blob:"

var (
	charset = regexp.MustCompile(`<meta charset="utf-8"\s*/?>`)
	// The manifest of an app that can be installed names pages that the lab does not have.
	manifest = regexp.MustCompile(`<link rel="manifest"[^>]*>`)
	inline   = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// guarded gives the page of the lab its policy, and its language. The page may connect to an address elsewhere, if
// there is one.
func guarded(page []byte, connect string) ([]byte, error) {
	at := charset.FindIndex(page)
	if at == nil {
		return nil, errors.New("lab: the page of JupyterLite has no charset")
	}
	hashes := ""
	for _, script := range inline.FindAllSubmatch(page, -1) {
		sum := sha256.Sum256(script[1])
		hashes += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	admitted := ""
	if connect != "" {
		at, err := source(connect)
		if err != nil {
			return nil, err
		}
		admitted = "; connect-src 'self' " + at
	}
	meta := fmt.Appendf(nil, "\n    <meta http-equiv=\"Content-Security-Policy\" content=\""+policy+"%s\">\n    <link rel=\"icon\" href=\"../"+icon+"\">", hashes, html.EscapeString(admitted))
	page = manifest.ReplaceAll(slices.Concat(page[:at[1]], meta, page[at[1]:]), nil)
	page = bytes.Replace(page, []byte("<html>"), []byte(`<html lang="en">`), 1)
	return bytes.Replace(page, []byte("Loading JupyterLite..."), []byte("The lab is loading …"), 1), nil
}

// source is an address as a policy names it: without its query, which a policy does not look at, and with the signs
// escaped that would end it.
func source(address string) (string, error) {
	at, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("lab: %w", err)
	}
	if (at.Scheme != "https" && at.Scheme != "http") || at.Host == "" || at.User != nil || strings.ContainsAny(at.Host, ";,*' ") {
		return "", fmt.Errorf("lab: %s: want an address that begins with https:// and a host", address)
	}
	if strings.HasSuffix(at.Path, "/") || at.Path == "" {
		return "", fmt.Errorf("lab: %s: want a path that does not end in /: a policy with one admits all addresses below", address)
	}
	escaped := strings.NewReplacer(";", "%3B", ",", "%2C", "'", "%27").Replace(at.EscapedPath())
	return at.Scheme + "://" + at.Host + escaped, nil
}
