// Examines a log by golang.org/x/mod: reads its notes, proofs and tiles, and answers with its own.
package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type proof struct {
	Index  int64    `json:"index"`
	Size   int64    `json:"size"`
	Hashes []string `json:"hashes"`
}

type tile struct {
	Level int    `json:"level"`
	Index int64  `json:"index"`
	Width int    `json:"width"`
	Bytes string `json:"bytes"`
}

type question struct {
	Key         string   `json:"key"`
	Note        string   `json:"note"`
	Entries     []string `json:"entries"`
	Roots       []string `json:"roots"`
	Inclusions  []proof  `json:"inclusions"`
	Consistency []proof  `json:"consistency"`
	Tiles       []tile   `json:"tiles"`
	WitnessName string   `json:"witnessName"`
	WitnessSeed string   `json:"witnessSeed"`
	Cosigned    string   `json:"cosigned"`
}

type answer struct {
	Complaints  []string `json:"complaints"`
	Key         string   `json:"key"`
	Note        string   `json:"note"`
	Roots       []string `json:"roots"`
	Inclusions  []proof  `json:"inclusions"`
	Consistency []proof  `json:"consistency"`
	WitnessKey  string   `json:"witnessKey"`
	Cosigned    string   `json:"cosigned"`
}

type store []tlog.Hash

func (s store) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		if index >= int64(len(s)) {
			return nil, fmt.Errorf("no hash %d", index)
		}
		hashes[i] = s[index]
	}
	return hashes, nil
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func bytesOf(text string) []byte { return must(base64.StdEncoding.DecodeString(text)) }

func hashOf(text string) (hash tlog.Hash) {
	copy(hash[:], bytesOf(text))
	return hash
}

func textOf(hash tlog.Hash) string { return base64.StdEncoding.EncodeToString(hash[:]) }

func hashesOf(texts []string) (hashes []tlog.Hash) {
	for _, text := range texts {
		hashes = append(hashes, hashOf(text))
	}
	return hashes
}

func textsOf(hashes []tlog.Hash) []string {
	texts := []string{}
	for _, hash := range hashes {
		texts = append(texts, textOf(hash))
	}
	return texts
}

func main() {
	var asked question
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		panic(err)
	}
	said := answer{Complaints: []string{}}
	complain := func(what string, err error) {
		if err != nil {
			said.Complaints = append(said.Complaints, what+": "+err.Error())
		}
	}

	var hashes store
	said.Roots = append(said.Roots, textOf(must(tlog.TreeHash(0, hashes))))
	for i, entry := range asked.Entries {
		hashes = append(hashes, must(tlog.StoredHashes(int64(i), bytesOf(entry), hashes))...)
		said.Roots = append(said.Roots, textOf(must(tlog.TreeHash(int64(i+1), hashes))))
	}

	verifier := must(note.NewVerifier(asked.Key))
	opened, err := note.Open([]byte(asked.Note), note.VerifierList(verifier))
	complain("note", err)
	if err == nil {
		tree, err := tlog.ParseTree([]byte("go.sum database tree\n" + cut(opened.Text)))
		complain("checkpoint", err)
		if err == nil && textOf(tree.Hash) != said.Roots[tree.N] {
			said.Complaints = append(said.Complaints, "checkpoint: another root")
		}
	}
	for _, p := range asked.Inclusions {
		leaf := tlog.RecordHash(bytesOf(asked.Entries[p.Index]))
		complain("inclusion", tlog.CheckRecord(hashesOf(p.Hashes), p.Size, hashOf(asked.Roots[p.Size]), p.Index, leaf))
		own := must(tlog.ProveRecord(p.Size, p.Index, hashes))
		said.Inclusions = append(said.Inclusions, proof{p.Index, p.Size, textsOf(own)})
	}
	for _, p := range asked.Consistency {
		older, newer := hashOf(asked.Roots[p.Index]), hashOf(asked.Roots[p.Size])
		complain("consistency", tlog.CheckTree(hashesOf(p.Hashes), p.Size, newer, p.Index, older))
		own := must(tlog.ProveTree(p.Size, p.Index, hashes))
		said.Consistency = append(said.Consistency, proof{p.Index, p.Size, textsOf(own)})
	}
	for _, t := range asked.Tiles {
		own := must(tlog.ReadTileData(tlog.Tile{H: 8, L: t.Level, N: t.Index, W: t.Width}, hashes))
		if base64.StdEncoding.EncodeToString(own) != t.Bytes {
			said.Complaints = append(said.Complaints, fmt.Sprintf("tile %d/%d: other bytes", t.Level, t.Index))
		}
	}

	seed := sha256.Sum256([]byte("a key of the examiner"))
	private := ed25519.NewKeyFromSeed(seed[:])
	name := "examiner.example/log"
	said.Key = must(note.NewEd25519VerifierKey(name, private.Public().(ed25519.PublicKey)))
	id := said.Key[len(name)+1 : len(name)+9]
	signer := must(note.NewSigner("PRIVATE+KEY+" + name + "+" + id + "+" +
		base64.StdEncoding.EncodeToString(append([]byte{1}, seed[:]...))))
	size := len(asked.Entries)
	text := fmt.Sprintf("%s\n%d\n%s\n", name, size, said.Roots[size])
	said.Note = string(must(note.Sign(&note.Note{Text: text}, signer)))

	witness := must(torchwood.NewCosignatureSigner(asked.WitnessName, ed25519.NewKeyFromSeed(bytesOf(asked.WitnessSeed)))).Verifier()
	cosigned, err := note.Open([]byte(asked.Cosigned), note.VerifierList(verifier, witness))
	complain("cosignature", err)
	if err == nil && len(cosigned.Sigs) != 2 {
		said.Complaints = append(said.Complaints, "cosignature: not verified")
	}
	cosigner := must(torchwood.NewCosignatureSigner("examiner.example/witness", private))
	said.WitnessKey = cosigner.Verifier().String()
	said.Cosigned = string(must(note.Sign(must(note.Open([]byte(asked.Note), note.VerifierList(verifier))), cosigner)))
	must(0, json.NewEncoder(os.Stdout).Encode(said))
}

// cut removes the first line, the origin.
func cut(text string) string {
	for i := range text {
		if text[i] == '\n' {
			return text[i+1:]
		}
	}
	return text
}
