// Known faults of wallets, custody and signing services: the public source of each, and the tests that show
// its absence here.

export type KnownFault = {
  readonly fault: string;
  /** Public report. */
  readonly source: string;
  /** Name of the report: a CVE, an advisory or an issue. */
  readonly report: string;
  /** How the service avoids it. */
  readonly here: string;
  /** Files below `test/` with the titles of tests in them, as the sources spell them. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
};

const nvd = (id: string) => ({ report: id, source: `https://nvd.nist.gov/vuln/detail/${id}` });
const issue = (path: string) => {
  const [owner, name, , number] = path.split('/');
  return { report: `${owner}/${name}#${number}`, source: `https://github.com/${path}` };
};

export const knownFaults: readonly KnownFault[] = [
  {
    fault: 'No single act stops all signing',
    ...issue('Steward-Fi/steward/issues/102'),
    here: 'A freeze stops signatures, exports and sends in one commit.',
    tests: {
      'freezes/stopped.test.ts': [
        'a freeze of an organization stops signatures, exports, sends and the deletion of keys',
      ],
    },
  },
  {
    fault: 'A path of signatures does not ask for the freeze',
    ...issue('Steward-Fi/steward/pull/325'),
    here: 'Every operation is walked against a list by hand, and races look at what became durable.',
    tests: {
      'freezes/stopped.test.ts': ['a freeze of a wallet or a private key stops what names it'],
      'freezes/sends.test.ts': [
        'a freeze is not bypassed by raw bytes that were signed before it',
        'a transaction under way is released to no node while a freeze stops it',
      ],
      'freezes/races.test.ts': ['races beside freezes, over nodes that are killed'],
    },
  },
  {
    fault: 'One signature meets two of two',
    ...issue('Steward-Fi/steward/pull/325'),
    here: 'Approvers are users, each once, whatever credentials and votes they have.',
    tests: {
      'votes/what_counts.test.ts': ['two credentials of one user are one approver'],
      'operations/activities/approve_activity.test.ts': [
        'a user who approves twice has approved once',
      ],
    },
  },
  {
    fault: 'Signatures of one key count separately toward a threshold',
    report: 'GHSA-pwqf-9h7j-7mv8',
    source: 'https://github.com/theupdateframework/tuf/security/advisories/GHSA-pwqf-9h7j-7mv8',
    here: 'A key belongs to one user, and a moved key brings no vote.',
    tests: {
      'votes/what_counts.test.ts': ['a key that moved to another user brings no vote with it'],
    },
  },
  {
    fault: 'A member is listed twice in a set of signers',
    ...issue('cardano-foundation/cip113-programmable-tokens/issues/126'),
    here: 'A list of members names each once, and shares of the root key are distinct.',
    tests: {
      'museum/museum.test.ts': ['a root quorum that names a member twice is refused'],
      'cli/root_key_shares.test.ts': ['each wrong set has a sentence of its own'],
    },
  },
  {
    fault: 'An approval is not bound to what it approves',
    report: 'OWASP transaction authorization',
    source:
      'https://cheatsheetseries.owasp.org/cheatsheets/Transaction_Authorization_Cheat_Sheet.html',
    here: 'A vote signs the SHA-256 of the whole body, so any other body is another activity.',
    tests: {
      'pipeline/liveness.test.ts': ['a body that differs in white space is another activity'],
      'core/auth/webauthn_assertion.test.ts': ['signs a body, and no other'],
      'museum/museum.test.ts': ['a vote on one activity leaves another with the same parameters'],
    },
  },
  {
    fault: 'Raw payloads pass policies on transactions',
    ...issue('solana-foundation/solana-keychain/pull/250'),
    here: 'A raw payload has no transaction, so a policy that reads one does not allow it.',
    tests: {
      'museum/museum.test.ts': [
        'a policy on transactions gives no right to sign their bytes as a raw payload',
      ],
    },
  },
  {
    fault: 'Typed data are signed under an empty domain',
    ...issue('bnb-chain/bnbagent-sdk/pull/72'),
    here: 'A domain that is named is derived and signed, and an undeclared empty one is refused.',
    tests: {
      'standards/eip712.test.ts': ['an empty domain whose type is not declared is refused'],
      'core/payload/eip712.test.ts': [
        'every part of the domain is signed',
        'a domain that is not declared is derived as viem and ethers derive it',
      ],
    },
  },
  {
    fault: 'Approvers see another transaction than the one that is signed',
    report: 'Bybit, February 2025',
    source: 'https://www.candide.dev/blog/blind-signing',
    here: 'The enclave reads the bytes that it signs; clients vote on what they verified themselves.',
    tests: {
      'e2e/viem.test.ts': ['signs no other domain than the one that its caller shows'],
    },
  },
  {
    fault: 'ECDSA signatures are accepted in several encodings',
    ...issue('indutny/elliptic/pull/317'),
    here: 'DER is read strictly, against the vectors of Wycheproof.',
    tests: {
      'core/crypto/signature_der.test.ts': [
        'a changed byte of the structure is refused, or changes a number',
      ],
      'standards/wycheproof_ecdsa.test.ts': ['from Wycheproof'],
    },
  },
  {
    fault: 'Ed25519 signatures of another length verify',
    ...nvd('CVE-2024-42459'),
    here: 'A signature has 64 bytes.',
    tests: { 'standards/wycheproof_ed25519.test.ts': ['ed25519 from Wycheproof'] },
  },
  {
    fault: 'Signatures have a high s',
    report: 'BIP 146',
    source: 'https://github.com/bitcoin/bips/blob/master/bip-0146.mediawiki',
    here: 'What the service signs has the low s.',
    tests: {
      'standards/rfc6979.test.ts': [
        'P-256 signatures verify with the s of RFC 6979 and with the low one',
      ],
    },
  },
  {
    fault: 'A signature of zeros verifies',
    ...nvd('CVE-2022-21449'),
    here: 'r and s lie between one and the order.',
    tests: { 'core/crypto/verify.test.ts': ['zero and the order are not'] },
  },
  {
    fault: 'A point that is not on the curve reveals a key',
    ...nvd('CVE-2015-7940'),
    here: 'Points are checked before any arithmetic.',
    tests: {
      'core/crypto/key_agreement.test.ts': [
        'Wycheproof: ECDH on secp256r1 with points as they are sent',
      ],
      'core/crypto/curves.test.ts': ['points agree with noble about being on the curve'],
    },
  },
  {
    fault: 'Public keys of small order verify any message',
    report: 'Taming the many EdDSAs',
    source: 'https://eprint.iacr.org/2020/1244',
    here: 'Such keys are refused.',
    tests: {
      'core/crypto/verify.test.ts': [
        'Ed25519 keys of small order are refused, though anybody can sign for them',
      ],
    },
  },
  {
    fault: 'Two signatures share a nonce, and reveal the key',
    report: 'GHSA-vjh7-7g9h-fjfh',
    source: 'https://github.com/advisories/GHSA-vjh7-7g9h-fjfh',
    here: 'Nonces are those of RFC 6979, and each signature is verified before its release.',
    tests: {
      'core/crypto/computing_faults.test.ts': [
        'P-256: a signature is not released where the hash that gives the nonce ends otherwise',
      ],
      'core/crypto/rfc6979.test.ts': ['numbers out of range are passed over as the standard says'],
    },
  },
  {
    fault: 'A fault of the computation reveals the key',
    report: 'Differential attacks on deterministic signatures',
    source: 'https://eprint.iacr.org/2017/975',
    here: 'A wrong signature is not released.',
    tests: {
      'core/crypto/computing_faults.test.ts': [
        'secp256k1: a damaged table of multiples does not agree with itself',
      ],
    },
  },
  {
    fault: 'Wallets are made from a weak source of randomness',
    ...nvd('CVE-2023-39910'),
    here: 'Keys come from the kernel, at each use.',
    tests: {
      'enclave/kernel_random.test.ts': [
        'reads from the kernel at each use, and no more than was asked for',
      ],
    },
  },
  {
    fault: 'A PSBT lies about the amount of an input, and so about the fee',
    ...nvd('CVE-2020-14199'),
    here: 'A fee counts as known only where the previous transactions or the signature prove it.',
    tests: {
      'core/transactions/bitcoin_amounts.test.ts': [
        'two requests that lie about one input each are allowed by no rule on the fee',
        'a previous transaction that is another one, or another output beside it, is refused',
      ],
    },
  },
  {
    fault: 'A passkey of another origin or relying party is accepted',
    report: 'Web Authentication, section 13.4.9',
    source: 'https://www.w3.org/TR/webauthn-3/#sctn-validating-origin',
    here: 'Origin and relying party are compared, as the parent allows them at that moment.',
    tests: {
      'pipeline/passkeys.test.ts': [
        'an assertion is for one body, one relying party and a present user',
        'a passkey is not released past a change of the origins that the parent allows',
      ],
    },
  },
  {
    fault: 'A token says that it has no signature, or that the public key is a secret',
    ...nvd('CVE-2015-9235'),
    here: 'The key decides the algorithm; `none` and HMAC are refused.',
    tests: {
      'core/auth/oidc_token.test.ts': [
        'the unsecured and the symmetric example of the standard are refused',
        'HMAC under the published key is refused in every spelling of that key',
        'keys that a token brings along are not looked at',
      ],
    },
  },
  {
    fault: 'A token of another audience logs in',
    report: 'RFC 8725, section 3.9',
    source: 'https://www.rfc-editor.org/rfc/rfc8725#section-3.9',
    here: 'The audience is part of the registered identity.',
    tests: {
      'operations/auth_proxy/signup_v2.test.ts': [
        'signup_v2: further audiences come with the token of the same person',
      ],
    },
  },
  {
    fault: 'A member that is sent twice is read differently by two parts',
    ...nvd('CVE-2017-12635'),
    here: 'A request that names a member twice is refused.',
    tests: {
      'pipeline/repeated_members.test.ts': [
        'a request body that names a member twice is refused by its place, and nothing is done',
      ],
    },
  },
  {
    fault: 'A name of the prototype becomes a value',
    ...nvd('CVE-2019-10744'),
    here: 'Names of Object.prototype are ids like any other.',
    tests: {
      'core/organization/state.test.ts': ['names of Object.prototype are ids like any other'],
    },
  },
  {
    fault: 'Control characters of a name change what a terminal shows',
    ...nvd('CVE-2021-42574'),
    here: 'They do not reach the terminal.',
    tests: {
      'cli/usage.test.ts': ['control characters of a wrong word do not reach the terminal'],
      'enclave/services/custody.test.ts': ['a name with control characters is not printed'],
    },
  },
  {
    fault: 'A webhook reaches the network of the operator',
    report: 'OWASP API7:2023',
    source: 'https://owasp.org/API-Security/editions/2023/en/0xa7-server-side-request-forgery/',
    here: 'Addresses are checked after the look-up, for each request, and redirects are answers.',
    tests: {
      'gateway/outbound/outbound.test.ts': [
        'no hostile URL is dialled or even resolved',
        'a name that changes its address is checked anew, and resolved once for each request',
        'a redirect is an answer',
      ],
    },
  },
  {
    fault: 'A path leads out of its folder',
    ...nvd('CVE-2018-1002204'),
    here: 'Files are named by the service, and no spelling of a path leads out.',
    tests: {
      'gateway/dashboard_route.test.ts': ['no spelling of a path leads out of the build'],
      'archive/archive.test.ts': ['a file that is no plain file is refused'],
    },
  },
  {
    fault: 'A party of a threshold protocol extracts the key',
    ...nvd('CVE-2023-33241'),
    here: 'No threshold protocol runs. A key is used whole, in the enclave alone.',
    tests: {
      'enclave/kernel_random.test.ts': [
        'bytes that may become a key lie outside of the heap of JavaScript',
      ],
    },
  },
];
