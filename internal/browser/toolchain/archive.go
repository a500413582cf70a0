package toolchain

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// magic begins an archive of the compiler. Members follow, each after a head of 60 bytes that has its
// name in the first 16 and its size in ten from the 49th; a member of odd size is padded (go doc
// cmd/internal/archive).
const magic = "!<arch>\n"

// split parts an archive into one with the export data alone and one with the object code alone. The
// first member of the second is the head of the export data, which the linker looks for.
func split(archive []byte) (export, object []byte, err error) {
	rest, ok := bytes.CutPrefix(archive, []byte(magic))
	if !ok {
		return nil, nil, fmt.Errorf("it begins with %q, want %q", archive[:min(8, len(archive))], magic)
	}
	export, object = []byte(magic), []byte(magic)
	for first := true; len(rest) > 0; first = false {
		if len(rest) < 60 {
			return nil, nil, fmt.Errorf("the head of a member has %d bytes, want 60", len(rest))
		}
		head := rest[:60]
		size, err := strconv.Atoi(strings.TrimSpace(string(head[48:58])))
		if err != nil || 60+size > len(rest) {
			return nil, nil, fmt.Errorf("the size of a member is %q, and %d bytes follow", head[48:58], len(rest)-60)
		}
		data := rest[60 : 60+size]
		rest = rest[min(60+size+size%2, len(rest)):]
		if !first {
			object = member(object, head, data)
			continue
		}
		if !bytes.HasPrefix(head, []byte("__.PKGDEF ")) {
			return nil, nil, fmt.Errorf("its first member is %q, want __.PKGDEF", head[:16])
		}
		export = member(export, head, data)
		const data1 = "\n$$B\n" // the export data begins behind it
		at := bytes.Index(data, []byte(data1))
		if at < 0 {
			return nil, nil, fmt.Errorf("its export data does not begin with %q", data1)
		}
		object = member(object, head, append(bytes.Clone(data[:at+len(data1)]), "\n$$\n"...))
	}
	return export, object, nil
}

// member appends a member with the name of another to an archive.
func member(archive, head, data []byte) []byte {
	archive = append(archive, head[:48]...)
	archive = fmt.Appendf(archive, "%-10d`\n", len(data))
	archive = append(archive, data...)
	if len(data)%2 == 1 {
		archive = append(archive, 0)
	}
	return archive
}
