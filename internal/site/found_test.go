package site

import (
	"slices"
	"testing"
)

// The search has of a section its heading, its text with the letters of its formulas apart, and the names in its code, but no
// output, picture, or number that the page has beside.
func TestSections(t *testing.T) {
	const page = `<nav>Site</nav><article role="main"><section id="top"><h1>Margins<a class="headerlink" href="#top" title="Link">#</a></h1>
<p>The <strong>widest</strong> street.</p><div class="run-box"><p>Run</p></div>
<section id="slack"><h2>5. Slack<a class="headerlink" href="#slack">#</a></h2>
<ul><li>a</li><li>price <span class="formula"><svg><g>glyph</g><svg></svg></svg><math><mi>C</mi><msub><mi>ξ</mi><mi>i</mi></msub></math></span></li></ul>
<div class="cell"><details><summary>Show the code</summary><pre><span></span>svm.<a>Fit</a>(X, svm)</pre></details><div class="cell_output docutils"><div>0.5</div></div></div>
after</section></section></article><footer>Made</footer>`
	want := [][5]string{
		{"Margins", "top", "The widest street.", "", "widest"},
		{"5. Slack", "slack", "a price C\u2009ξ\u2009i\u2009 after", "Fit svm", ""},
	}
	if got := sections([]byte(page)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
