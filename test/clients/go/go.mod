module keywright.invalid/client_examiner

go 1.25.0

require (
	github.com/tkhq/go-sdk/crypto v0.1.0
	github.com/tkhq/go-sdk/v2 v2.0.0
)

require (
	github.com/btcsuite/btcutil v1.0.2 // indirect
	github.com/cloudflare/circl v1.3.7 // indirect
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.0.1 // indirect
	github.com/fxamacker/cbor/v2 v2.2.0 // indirect
	github.com/golang-jwt/jwt/v5 v5.3.1 // indirect
	github.com/tkhq/go-sdk/encoding v0.1.0 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	golang.org/x/crypto v0.50.0 // indirect
	golang.org/x/sys v0.43.0 // indirect
)
