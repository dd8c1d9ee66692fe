// The input of each program in `test/clients/<language>/` on standard input, and its output on standard
// output, each as one JSON object. The programs only call their package; they neither write nor parse
// requests themselves.

/** An API key in hex. An Ed25519 private key is its seed followed by its public key. */
export type Key = { readonly publicKey: string; readonly privateKey: string };

export type Question = {
  readonly baseUrl: string;
  readonly organizationId: string;
  /** Three keys of one user who may do everything. The first is on P-256. */
  readonly root: Key;
  readonly rootSecp256k1: Key;
  readonly rootEd25519: Key;
  /** Two users whose signatures need both: Alice requests one, and Bob votes. */
  readonly alice: Key;
  readonly bob: Key;
  /** A key that the service does not know. */
  readonly stranger: Key;
  /** The body of a `whoami` request, to be stamped unchanged with each key of the root user. */
  readonly body: string;
  /** The public key of the signer of exports: an uncompressed point in hex. */
  readonly signerKey: string;
  /** The name of the wallet to create, with one account: secp256k1, `m/44'/60'/0'/0/0`, Ethereum. */
  readonly walletName: string;
  /** The digest to sign with that account: 32 bytes in hex. */
  readonly digest: string;
  /** The Ethereum transaction to sign with that account, in hex without `0x`. */
  readonly unsignedTransaction: string;
};

/** Hex without `0x`: r and s of 32 bytes each, and the recovery id as one byte. */
export type Signature = { readonly r: string; readonly s: string; readonly v: string };

export type Answer = {
  /** The stamps of `body`, by the schemes that the package supports. */
  readonly stamps: ByScheme<{ readonly name: string; readonly value: string }>;
  /** The `userId` in the answer to `whoami`, by the scheme of the stamp. */
  readonly users: ByScheme<string>;
  readonly walletId: string;
  readonly address: string;
  /** The mnemonic of the exported wallet, if the package opens exports. */
  readonly mnemonic?: string;
  /** The root user's signature of `digest`. */
  readonly signature: Signature;
  /** The transaction with the root user's signature, in hex without `0x`. */
  readonly signedTransaction: string;
  /** The error of the stranger's `whoami` as the package reports it. */
  readonly refusal: { readonly status: number; readonly message: string };
  /** The id of the activity by which Alice requested a signature of `digest`, as the package reports it. */
  readonly waiting: string;
  /** The outcome of Bob's vote. */
  readonly approved: {
    readonly activityId: string;
    readonly status: string;
    readonly signature: Signature;
  };
};

export const schemes = ['p256', 'secp256k1', 'ed25519'] as const;
export type Scheme = (typeof schemes)[number];
type ByScheme<Value> = { readonly [Name in Scheme]?: Value };
