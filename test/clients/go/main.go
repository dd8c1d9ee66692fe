// Does with the Go module what the question on standard input asks; answers on standard output.
// test/clients/question.ts describes both.
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	tkcrypto "github.com/tkhq/go-sdk/crypto"
	turnkey "github.com/tkhq/go-sdk/v2"
)

type key struct {
	PublicKey  string `json:"publicKey"`
	PrivateKey string `json:"privateKey"`
}

type question struct {
	BaseURL             string `json:"baseUrl"`
	OrganizationID      string `json:"organizationId"`
	Root                key    `json:"root"`
	RootSecp256k1       key    `json:"rootSecp256k1"`
	RootEd25519         key    `json:"rootEd25519"`
	Alice               key    `json:"alice"`
	Bob                 key    `json:"bob"`
	Stranger            key    `json:"stranger"`
	Body                string `json:"body"`
	WalletName          string `json:"walletName"`
	Digest              string `json:"digest"`
	SignerKey           string `json:"signerKey"`
	UnsignedTransaction string `json:"unsignedTransaction"`
}

type object = map[string]any

func main() {
	answer, err := examine(context.Background())
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(answer)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func examine(ctx context.Context) (object, error) {
	var asked question
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return nil, err
	}
	stamps, users := object{}, object{}
	for name, each := range map[string]struct {
		key    key
		scheme tkcrypto.SignatureScheme
	}{
		"p256":      {asked.Root, tkcrypto.SchemeP256},
		"secp256k1": {asked.RootSecp256k1, tkcrypto.SchemeSECP256K1},
		"ed25519":   {asked.RootEd25519, tkcrypto.SchemeED25519},
	} {
		stamper, err := turnkey.NewAPIKeyStamper(each.key.PrivateKey, turnkey.WithSignatureScheme(each.scheme))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		stamp, err := stamper.Stamp(ctx, []byte(asked.Body))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		client, err := turnkey.NewClient(stamper, asked.OrganizationID, turnkey.WithBaseURL(asked.BaseURL))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		who, err := client.GetWhoami(ctx, turnkey.GetWhoamiRequest{})
		if err != nil {
			return nil, fmt.Errorf("whoami with %s: %w", name, err)
		}
		stamps[name] = object{"name": stamp.HeaderName, "value": stamp.HeaderValue}
		users[name] = who.UserID
	}

	root, err := clientOf(asked, asked.Root)
	if err != nil {
		return nil, err
	}
	wallet, err := root.CreateWallet(ctx, turnkey.CreateWalletRequest{
		WalletName: asked.WalletName,
		Accounts: []turnkey.WalletAccountParams{{
			Curve:         turnkey.CurveSecp256K1,
			PathFormat:    turnkey.PathFormatBip32,
			Path:          "m/44'/60'/0'/0/0",
			AddressFormat: turnkey.AddressFormatEthereum,
		}},
	})
	if err != nil {
		return nil, fmt.Errorf("create_wallet: %w", err)
	}
	mnemonic, err := export(ctx, asked, root, wallet.WalletID)
	if err != nil {
		return nil, fmt.Errorf("export_wallet: %w", err)
	}
	payload := turnkey.SignRawPayloadRequest{
		SignWith:     wallet.Addresses[0],
		Payload:      asked.Digest,
		Encoding:     turnkey.PayloadEncodingHexadecimal,
		HashFunction: turnkey.HashFunctionNoOp,
	}
	signed, err := root.SignRawPayload(ctx, payload)
	if err != nil {
		return nil, fmt.Errorf("sign_raw_payload: %w", err)
	}
	transaction, err := root.SignTransaction(ctx, turnkey.SignTransactionRequest{
		SignWith:            wallet.Addresses[0],
		TypeValue:           turnkey.TransactionTypeEthereum,
		UnsignedTransaction: asked.UnsignedTransaction,
	})
	if err != nil {
		return nil, fmt.Errorf("sign_transaction: %w", err)
	}

	stranger, err := clientOf(asked, asked.Stranger)
	if err != nil {
		return nil, err
	}
	var refusal *turnkey.RequestError
	if _, err := stranger.GetWhoami(ctx, turnkey.GetWhoamiRequest{}); !errors.As(err, &refusal) {
		return nil, fmt.Errorf("a stranger was answered %v", err)
	}

	waiting, approved, err := vote(ctx, asked, payload)
	if err != nil {
		return nil, fmt.Errorf("vote: %w", err)
	}
	return object{
		"stamps":            stamps,
		"users":             users,
		"walletId":          wallet.WalletID,
		"address":           wallet.Addresses[0],
		"mnemonic":          mnemonic,
		"signature":         signatureOf(signed.SignRawPayloadResult),
		"signedTransaction": transaction.SignedTransaction,
		"refusal":           object{"status": refusal.StatusCode, "message": refusal.Error()},
		"waiting":           waiting,
		"approved":          approved,
	}, nil
}

// Opens an export of the wallet, sealed to a new key and signed by the key of the service.
func export(ctx context.Context, asked question, root *turnkey.Client, walletID string) (string, error) {
	target, privateKey, err := tkcrypto.GenerateEncryptionKeyPair()
	if err != nil {
		return "", err
	}
	exported, err := root.ExportWallet(ctx, turnkey.ExportWalletRequest{WalletID: walletID, TargetPublicKey: target})
	if err != nil {
		return "", err
	}
	point, err := hex.DecodeString(asked.SignerKey)
	if err != nil {
		return "", err
	}
	signer, err := tkcrypto.ToECDSAPublic(point)
	if err != nil {
		return "", err
	}
	mnemonic, err := tkcrypto.DecryptExportBundle([]byte(exported.ExportBundle), asked.OrganizationID, privateKey, signer)
	return string(mnemonic), err
}

// Alice asks for a signature that waits for a vote, and Bob gives it.
func vote(ctx context.Context, asked question, payload turnkey.SignRawPayloadRequest) (string, object, error) {
	alice, err := clientOf(asked, asked.Alice)
	if err != nil {
		return "", nil, err
	}
	bob, err := clientOf(asked, asked.Bob)
	if err != nil {
		return "", nil, err
	}
	_, err = alice.SignRawPayload(ctx, payload)
	waiting, waits := turnkey.ActivityFromApprovalError(err)
	if !waits {
		return "", nil, fmt.Errorf("no vote was asked for: %v", err)
	}
	found, err := bob.GetActivity(ctx, turnkey.GetActivityRequest{ActivityID: waiting.ID})
	if err != nil {
		return "", nil, err
	}
	approved, err := bob.ApproveActivity(ctx, turnkey.ApproveActivityRequest{Fingerprint: found.Activity.Fingerprint})
	if err != nil {
		return "", nil, err
	}
	result := approved.Activity.Result.SignRawPayloadResult
	if result == nil {
		return "", nil, errors.New("the vote came to no signature")
	}
	return waiting.ID, object{
		"activityId": approved.Activity.ID,
		"status":     approved.Activity.Status,
		"signature":  signatureOf(*result),
	}, nil
}

func clientOf(asked question, signer key) (*turnkey.Client, error) {
	stamper, err := turnkey.NewAPIKeyStamper(signer.PrivateKey)
	if err != nil {
		return nil, err
	}
	return turnkey.NewClient(stamper, asked.OrganizationID, turnkey.WithBaseURL(asked.BaseURL))
}

func signatureOf(result turnkey.SignRawPayloadResult) object {
	return object{"r": result.R, "s": result.S, "v": result.V}
}
