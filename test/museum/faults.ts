// Known faults of wallets, custody and signing services: the public source of each, and the tests that show
// its absence here.

import { knownCves } from './cves.ts';
import { issue, type KnownFault, nvd } from './known_fault.ts';

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
    fault: 'A signing path does not check the pause of a signer',
    ...issue('Steward-Fi/steward/issues/102'),
    here: 'A test submits every operation under a freeze; races compare the committed results.',
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
    fault: 'One key with several IDs meets a threshold of several keys',
    ...issue('theupdateframework/go-tuf/pull/369'),
    here: 'Each user counts once as an approver, for any number of credentials and votes.',
    tests: {
      'votes/what_counts.test.ts': ['two credentials of one user are one approver'],
      'operations/activities/approve_activity.test.ts': [
        'a user who approves twice has approved once',
      ],
    },
  },
  {
    fault: 'Signatures of one key count separately toward a threshold',
    report: 'GMS-2022-4197',
    source: 'https://advisories.gitlab.com/pkg/pypi/tuf/GMS-2022-4197',
    here: 'Votes belong to users. A key that moves to another user adds no vote.',
    tests: {
      'votes/what_counts.test.ts': ['a key that moved to another user brings no vote with it'],
    },
  },
  {
    fault: 'A member is listed twice in a set of signers',
    ...issue('cardano-foundation/cip113-programmable-tokens/issues/126'),
    here: 'The service rejects a repeated member of a quorum, and a repeated share of the root key.',
    tests: {
      'museum/museum.test.ts': ['a root quorum that names a member twice is refused'],
      'cli/root_key_shares.test.ts': ['each wrong set has its own sentence'],
    },
  },
  {
    fault: 'An approval is not bound to the content of the request',
    report: 'OWASP transaction authorization',
    source:
      'https://cheatsheetseries.owasp.org/cheatsheets/Transaction_Authorization_Cheat_Sheet.html',
    here: 'A vote signs the SHA-256 of the whole body. A different body is a different activity.',
    tests: {
      'pipeline/liveness.test.ts': ['a body that differs in white space is another activity'],
      'core/auth/webauthn_assertion.test.ts': ['signs a body, and no other'],
      'museum/museum.test.ts': ['a vote on one activity leaves another with the same parameters'],
    },
  },
  {
    fault: 'Raw payloads bypass policies on transactions',
    ...issue('solana-foundation/solana-keychain/pull/250'),
    here: 'A policy that reads a transaction does not allow a raw payload.',
    tests: {
      'museum/museum.test.ts': [
        'a policy on transactions gives no right to sign their bytes as a raw payload',
      ],
    },
  },
  {
    fault: 'A client signs typed data under an empty domain',
    ...issue('tkhq/sdk/pull/1520'),
    here: 'The enclave signs the domain of the request, and rejects an undeclared empty domain.',
    tests: {
      'standards/eip712.test.ts': ['an empty domain whose type is not declared is refused'],
      'core/payload/eip712.test.ts': [
        'every part of the domain is signed',
        'a domain that is not declared is derived as viem and ethers derive it',
      ],
    },
  },
  {
    fault: 'Approvers see a different transaction from the signed one',
    report: 'Bybit, February 2025',
    source:
      'https://blockaid.io/blog/how-to-prevent-the-next-15b-bybit-hack-a-strategic-approach-to-solving-blind-signing',
    here: 'The enclave parses the bytes that it signs. Clients verify the content before a vote.',
    tests: {
      'e2e/viem.test.ts': ['signs only the domain of its caller'],
    },
  },
  {
    fault: 'A verifier accepts several encodings of one ECDSA signature',
    ...issue('indutny/elliptic/pull/317'),
    here: 'The parser of DER is strict. Tests run the vectors of Wycheproof.',
    tests: {
      'core/crypto/signature_der.test.ts': [
        'a changed byte of the structure is refused, or changes a number',
      ],
      'standards/wycheproof_ecdsa.test.ts': ['from Wycheproof'],
    },
  },
  {
    fault: 'Ed25519 signatures of a wrong length verify',
    ...nvd('CVE-2024-42459'),
    here: 'The verifier rejects signatures of any length but 64 bytes.',
    tests: { 'standards/wycheproof_ed25519.test.ts': ['ed25519 from Wycheproof'] },
  },
  {
    fault: 'Signatures have a high s',
    report: 'BIP 146',
    source: 'https://github.com/bitcoin/bips/blob/master/bip-0146.mediawiki',
    here: 'Signatures of the service have a low s.',
    tests: {
      'standards/rfc6979.test.ts': [
        'P-256 signatures verify with the s of RFC 6979 and with the low one',
      ],
    },
  },
  {
    fault: 'A signature of zeros verifies',
    ...nvd('CVE-2022-21449'),
    here: 'The verifier rejects r and s outside of 1 to the order minus 1.',
    tests: { 'core/crypto/verify.test.ts': ['zero and the order are not'] },
  },
  {
    fault: 'A point that is not on the curve reveals a key',
    ...nvd('CVE-2015-7940'),
    here: 'The enclave checks that a point is on the curve before any arithmetic.',
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
    here: 'The verifier rejects keys of small order.',
    tests: {
      'core/crypto/verify.test.ts': [
        'Ed25519 keys of small order are refused, though anybody can sign for them',
      ],
    },
  },
  {
    fault: 'Two signatures with one nonce reveal the key',
    report: 'GHSA-vjh7-7g9h-fjfh',
    source: 'https://github.com/advisories/GHSA-vjh7-7g9h-fjfh',
    here: 'Nonces follow RFC 6979. The enclave verifies each signature before its release.',
    tests: {
      'core/crypto/computing_faults.test.ts': [
        'P-256: a signature is not released where the hash that gives the nonce ends otherwise',
      ],
      'core/crypto/rfc6979.test.ts': ['numbers out of range are passed over as the standard says'],
    },
  },
  {
    fault: 'A computing fault during a signature reveals the key',
    report: 'Differential attacks on deterministic signatures',
    source: 'https://eprint.iacr.org/2017/975',
    here: 'The enclave does not release a signature that does not verify.',
    tests: {
      'core/crypto/computing_faults.test.ts': [
        'secp256k1: a damaged table of multiples does not agree with itself',
      ],
    },
  },
  {
    fault: 'A wallet uses a weak source of randomness',
    ...nvd('CVE-2023-39910'),
    here: 'The enclave reads random bytes from the kernel at each use.',
    tests: {
      'enclave/kernel_random.test.ts': [
        'reads from the kernel at each use, and no more than was asked for',
      ],
    },
  },
  {
    fault: 'A PSBT states a false amount of an input, which hides the fee',
    ...nvd('CVE-2020-14199'),
    here: 'A fee is known only if the previous transactions or the signature prove the amounts.',
    tests: {
      'core/transactions/bitcoin_amounts.test.ts': [
        'two requests that lie about one input each are allowed by no rule on the fee',
        'a previous transaction that is another one, or another output beside it, is refused',
      ],
    },
  },
  {
    fault: 'A service accepts a passkey of another origin or relying party',
    report: 'Web Authentication, section 13.4.9',
    source: 'https://www.w3.org/TR/webauthn-3/#sctn-validating-origin',
    here: 'The enclave compares both with the current list of the parent organization.',
    tests: {
      'pipeline/passkeys.test.ts': [
        'an assertion is for one body, one relying party and a present user',
        'a passkey is not released past a change of the origins that the parent allows',
      ],
    },
  },
  {
    fault: 'A token selects no signature, or HMAC with the public key as its secret',
    ...nvd('CVE-2015-9235'),
    here: 'The key determines the algorithm. The enclave rejects `none` and HMAC.',
    tests: {
      'core/auth/oidc_token.test.ts': [
        'the unsecured and the symmetric example of the standard are refused',
        'HMAC under the published key is refused in every spelling of that key',
        'keys that a token brings along are not looked at',
      ],
    },
  },
  {
    fault: 'A service accepts a token for another audience',
    report: 'RFC 8725, section 3.9',
    source: 'https://www.rfc-editor.org/rfc/rfc8725#section-3.9',
    here: 'The registered identity includes the audience.',
    tests: {
      'operations/auth_proxy/signup_v2.test.ts': [
        'signup_v2: further audiences come with the token of the same person',
      ],
    },
  },
  {
    fault: 'Two parsers read a repeated JSON member differently',
    ...nvd('CVE-2017-12635'),
    here: 'The enclave rejects a request with a repeated member.',
    tests: {
      'pipeline/repeated_members.test.ts': [
        'a request body that names a member twice is refused by its place, and nothing is done',
      ],
    },
  },
  {
    fault: 'A name of the prototype in JSON changes objects of the program',
    ...nvd('CVE-2019-10744'),
    here: 'Names of `Object.prototype` are ordinary IDs.',
    tests: {
      'core/organization/state.test.ts': ['names of Object.prototype are ids like any other'],
    },
  },
  {
    fault: 'Control characters in a name change the output of a terminal',
    report: 'CWE-150',
    source: 'https://cwe.mitre.org/data/definitions/150.html',
    here: 'The command line prints no control characters of names.',
    tests: {
      'cli/usage.test.ts': ['control characters of a wrong word do not reach the terminal'],
      'enclave/services/custody.test.ts': ['a name with control characters is not printed'],
    },
  },
  {
    fault: 'A webhook reaches the internal network of the operator',
    report: 'OWASP API7:2023',
    source: 'https://owasp.org/API-Security/editions/2023/en/0xa7-server-side-request-forgery/',
    here: 'The gateway checks the resolved address of each request, and follows no redirects.',
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
    here: 'The service names its files, and rejects paths outside of their folder.',
    tests: {
      'gateway/dashboard_route.test.ts': ['no spelling of a path leads out of the build'],
      'archive/archive.test.ts': ['a file that is no plain file is refused'],
    },
  },
  {
    fault: 'A party of a threshold protocol extracts the key',
    ...nvd('CVE-2023-33241'),
    here: 'The service runs no threshold protocol. Only the enclave uses a key, as a whole.',
    tests: {
      'enclave/kernel_random.test.ts': [
        'bytes that may become a key lie outside of the heap of JavaScript',
      ],
    },
  },
  ...knownCves,
];
