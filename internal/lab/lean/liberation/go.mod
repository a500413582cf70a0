module codeberg.org/go-fonts/liberation

go 1.26.0

require codeberg.org/go-fonts/dejavu v0.4.0
