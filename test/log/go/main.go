// Examines a log by golang.org/x/mod: reads its notes, proofs and tiles, and answers with its own.
package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

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
	CosignedKey string   `json:"cosignedKey"`
	Notes       []string `json:"notes"`
	Requests    []string `json:"requests"`
	Latest      string   `json:"latest"`
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
	Decisions   []string `json:"decisions"`
	Statuses    []int    `json:"statuses"`
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
	cosignedBy := must(cosignatureVerifier(asked.CosignedKey, asked.WitnessName, asked.WitnessSeed))
	for _, each := range asked.Notes {
		said.Decisions = append(said.Decisions, decide(each, verifier, cosignedBy))
	}
	latest := must(torchwood.ParseCheckpoint(asked.Latest))
	for _, each := range asked.Requests {
		said.Statuses = append(said.Statuses, statusOf(each, verifier, latest))
	}
	must(0, json.NewEncoder(os.Stdout).Encode(said))
}

// cosignatureVerifier returns the verifier of a witness, and checks its key against the text of the key.
func cosignatureVerifier(text, name, seed string) (note.Verifier, error) {
	verifier := must(torchwood.NewCosignatureSigner(name, ed25519.NewKeyFromSeed(bytesOf(seed)))).Verifier()
	if verifier.String() != text {
		return nil, fmt.Errorf("another key: %s", verifier)
	}
	return verifier, nil
}

// decide returns the size and the time of a note of the log that the witness cosigned, or "refused".
func decide(signed string, log, witness note.Verifier) string {
	opened, err := note.Open([]byte(signed), note.VerifierList(log, witness))
	if err != nil {
		return "refused"
	}
	checkpoint, err := torchwood.ParseCheckpoint(opened.Text)
	if err != nil || checkpoint.Origin != log.Name() {
		return "refused"
	}
	isSigned, at := false, int64(-1)
	for _, sig := range opened.Sigs {
		if sig.Name == log.Name() && sig.Hash == log.KeyHash() {
			isSigned = true
		}
		if sig.Name == witness.Name() && sig.Hash == witness.KeyHash() {
			if at, err = torchwood.CosignatureTimestamp(sig); err != nil {
				return "refused"
			}
		}
	}
	if !isSigned || at < 0 {
		return "refused"
	}
	return fmt.Sprintf("%d at %d", checkpoint.N, at)
}

// statusOf returns the answer of a witness that cosigned the checkpoint latest of the log.
func statusOf(request string, log note.Verifier, latest torchwood.Checkpoint) int {
	head, signed, isWhole := strings.Cut(request, "\n\n")
	lines := strings.Split(head, "\n")
	digits, isOld := strings.CutPrefix(lines[0], "old ")
	old, err := strconv.ParseInt(digits, 10, 64)
	if !isWhole || !isOld || err != nil || strconv.FormatInt(old, 10) != digits || len(lines) > 64 {
		return 400
	}
	var proof tlog.TreeProof
	for _, line := range lines[1:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return 400
		}
		proof = append(proof, hash)
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(log))
	text := ""
	var unverified *note.UnverifiedNoteError
	var invalid *note.InvalidSignatureError
	isSigned := err == nil
	switch {
	case isSigned:
		text = opened.Text
	case errors.As(err, &unverified):
		text = unverified.Note.Text
	case errors.As(err, &invalid):
		return 403
	default:
		return 400
	}
	checkpoint, err := torchwood.ParseCheckpoint(text)
	if err != nil {
		return 400
	}
	if checkpoint.Origin != log.Name() {
		return 404
	}
	if !isSigned {
		return 403
	}
	if old > checkpoint.N {
		return 400
	}
	if old != latest.N || (old == checkpoint.N && checkpoint.Hash != latest.Hash) {
		return 409
	}
	if old == checkpoint.N {
		if len(proof) > 0 {
			return 422
		}
		return 200
	}
	if tlog.CheckTree(proof, checkpoint.N, checkpoint.Hash, old, latest.Hash) != nil {
		return 422
	}
	return 200
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
