// Package modelfile keeps models in files that say what they hold and refuse to be taken for
// anything else.
//
//	err := modelfile.Save("digits.model", m, modelfile.Notes{"data": "MNIST, 0 against 1"})
//	…
//	m, err := modelfile.Load[*svm.Model]("digits.model")
//
// Write and Read do the same with an io.Writer and an io.Reader. LoadOneOf loads one of several
// types; LoadHeader tells what a file holds without its type. Every model, fitted map and result
// of mlkit that encodes itself can be stored, pipelines and models of many classes too, and so
// can a model of your own.
//
// What Save has written, Load reads: Save decodes the model once before it touches the file,
// and takes as long as encoding and loading together. It replaces the file whole or not at all.
// The same model and notes give the same bytes; the library adds no date.
//
// # The file
//
// A file is text, three lines and the model:
//
//	marginalia model 1
//	sha256 5f2b…
//	{"kind":"svm.Model","form":1,"bytes":498,"notes":{"data":"MNIST, 0 against 1"}}
//	{"kernel":{"name":"rbf","parameters":{"gamma":0.5}},"vectors":…
//
// Line 1 is the format of the file and its version. Line 2 is the SHA-256 of everything after
// it, so that
//
//	tail -n +3 digits.model | sha256sum
//
// prints the same. Line 3 is the header: the kind of the model, the version of its form, the
// number of bytes after the header, and the notes. The rest is the model in JSON, as
// encoding/json writes it, and a newline.
//
// # What is refused
//
// A file is read whole and checked before it is decoded. An error says what is wrong with it:
// it is no such file, or its format or the model's form is newer than the program; it is
// truncated, damaged, or longer than it says; it holds a model of another kind,
//
//	modelfile: digits.model: it holds a model of the kind logistic.Model, want svm.Model; …
//
// or the model's own check refuses it. Before it is decoded, a file takes memory in proportion
// to the bytes that are there, whatever its header says. The checksum finds damage; it does not
// tell who wrote the file. Unlike a pickle, a file holds data alone, so loading one from a
// stranger runs no code of theirs.
//
// # A model of your own
//
// A type can be stored if encoding/json encodes all that it needs, and if it has a method that
// names it in files:
//
//	func (*Model) ModelKind() string { return "example.org/rivers.Model" }
//
// The name must never change, even if the type's does. Begin it with the path of your module;
// mlkit's kinds begin with the name of their package. If the type has a method UnmarshalJSON,
// that should check the model. Otherwise the JSON must have every field and no others.
//
// A type whose fields have changed says which older forms it reads: see Versioned.
//
// # Why this format
//
// scikit-learn's models are pickles: only the same version of the library reads them for sure,
// and loading one may run any code. This format takes JSON with a promise from XGBoost, the two
// versions, of the format and of the form, from ONNX, the limits of the header from safetensors,
// and kind and size under the hash from git.
//
//   - JSON, not binary: the models of this library have a checked JSON form already, any
//     language reads it, and numbers round-trip exactly. A support vector takes two to
//     three times the space of float64s.
//   - SHA-256, not a CRC: it also serves as the name of a model, and costs little beside
//     decoding the JSON.
//   - The hash covers the header, since a damaged note or kind would otherwise go unnoticed.
//   - No registry of types: Load has its type, and LoadOneOf a list of types, so a program
//     links only what it names.
//
// Sources: scikit-learn's user guide, "Model persistence"; XGBoost's documentation,
// "Introduction to Model IO"; ONNX, "Versioning"; safetensors' documentation, "Format"; git's
// manual, gitformat-loose(5).
package modelfile
