// The question to each program under `test/clients/<language>/` on standard input, and its answer on
// standard output, both as one JSON object. The programs only call their package: nothing of the wire is
// made or read by them.

/** An API key, hex. An Ed25519 private key is its seed followed by its public key. */
export type Key = { readonly publicKey: string; readonly privateKey: string };

export type Question = {
  readonly baseUrl: string;
  readonly organizationId: string;
  /** Three keys of one user who may do everything; P-256, unless the name says otherwise. */
  readonly root: Key;
  readonly rootSecp256k1: Key;
  readonly rootEd25519: Key;
  /** Two users who sign together: Alice asks, Bob votes. */
  readonly alice: Key;
  readonly bob: Key;
  /** A key that the service does not know. */
  readonly stranger: Key;
  /** The body of a `whoami` request, to be stamped as it is with each key of the root user. */
  readonly body: string;
  /** Public key that signs exports, an uncompressed point in hex. */
  readonly signerKey: string;
  /** Name of the wallet to create, with one account: secp256k1, `m/44'/60'/0'/0/0`, Ethereum. */
  readonly walletName: string;
  /** Digest to sign with that account, 32 bytes in hex. */
  readonly digest: string;
  /** Ethereum transaction to sign with that account, hex without `0x`. */
  readonly unsignedTransaction: string;
};

/** Hex without `0x`: 32 bytes, 32 bytes, the recovery id in one. */
export type Signature = { readonly r: string; readonly s: string; readonly v: string };

export type Answer = {
  /** Stamp of `body` by scheme, for the schemes that the package has. */
  readonly stamps: ByScheme<{ readonly name: string; readonly value: string }>;
  /** `userId` that `whoami` answered, by the scheme of the stamp. */
  readonly users: ByScheme<string>;
  readonly walletId: string;
  readonly address: string;
  /** Sentence of the exported wallet, by packages that open exports. */
  readonly mnemonic?: string;
  /** The root user's signature of `digest`. */
  readonly signature: Signature;
  /** The root user's, hex without `0x`. */
  readonly signedTransaction: string;
  /** The error of the stranger's `whoami`, as the package tells it. */
  readonly refusal: { readonly status: number; readonly message: string };
  /** Id of the activity by which Alice asked for a signature of `digest`, as the package told it. */
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
