// Known faults with a CVE in libraries and services of this field: signatures, tokens, parsers and protocols.

import { type KnownFault, nvd } from './known_fault.ts';

export const knownCves: readonly KnownFault[] = [
  {
    fault: 'A verifier doubles a point wrongly',
    ...nvd('CVE-2015-2730'),
    here: 'Verifiers agree with the vectors of Wycheproof, which have such points.',
    tests: { 'standards/wycheproof_ecdsa.test.ts': ['from Wycheproof'] },
  },
  {
    fault: 'A verifier fails on extreme intermediate values',
    ...nvd('CVE-2017-18146'),
    here: 'Verifiers agree with the vectors of Wycheproof, which have such values.',
    tests: { 'standards/wycheproof_ecdsa.test.ts': ['from Wycheproof'] },
  },
  {
    fault: 'A modular inverse in a verifier never ends',
    ...nvd('CVE-2019-0865'),
    here: 'Verifiers judge the vectors of Wycheproof whose s has such an inverse.',
    tests: { 'standards/wycheproof_ecdsa.test.ts': ['from Wycheproof'] },
  },
  {
    fault: 'A verifier rejects signatures of hashes with leading zeros',
    ...nvd('CVE-2024-48948'),
    here: 'Verifiers accept the vectors of Wycheproof that have such hashes.',
    tests: { 'standards/wycheproof_ecdsa.test.ts': ['from Wycheproof'] },
  },
  {
    fault: 'A multiplication on P-256 loses a carry, which reveals a private key',
    ...nvd('CVE-2017-8932'),
    here: 'Key agreement agrees with the vectors of Wycheproof for this fault.',
    tests: {
      'core/crypto/key_agreement.test.ts': [
        'Wycheproof: ECDH on secp256r1 with points as they are sent',
      ],
    },
  },
  {
    fault: 'Key agreement accepts a point off the curve',
    ...nvd('CVE-2020-28498'),
    here: 'The enclave rejects the vectors of Wycheproof that have such points.',
    tests: {
      'core/crypto/key_agreement.test.ts': [
        'Wycheproof: ECDH on secp256r1 with points as they are sent',
      ],
    },
  },
  {
    fault: 'A compressed key whose x has no point is decoded as a point of another curve',
    ...nvd('CVE-2024-48930'),
    here: 'A test compares the decoder with noble on points and other bytes.',
    tests: {
      'core/crypto/curves.test.ts': [
        'points agree with noble about being on the curve',
        'invalid public keys are refused',
      ],
    },
  },
  {
    fault: 'AES-GCM accepts an empty nonce',
    ...nvd('CVE-2017-7822'),
    here: 'The cipher accepts nonces of 12 bytes only.',
    tests: {
      'standards/wycheproof_aes_gcm.test.ts': ['aes_gcm from Wycheproof, other sizes are refused'],
    },
  },
  {
    fault: 'A verifier accepts bytes beside the integers of a DER signature',
    ...nvd('CVE-2016-1000342'),
    here: 'The parser of DER rejects all other content.',
    tests: {
      'core/crypto/signature_der.test.ts': [
        'bytes after the sequence',
        'bytes after s in the sequence',
        'a third number',
      ],
    },
  },
  {
    fault: 'A DER signature has lengths in several forms',
    ...nvd('CVE-2019-14859'),
    here: 'The parser rejects a length in a longer form than needed.',
    tests: {
      'core/crypto/signature_der.test.ts': [
        'a length in a longer form than needed',
        'a number whose length is in a longer form',
      ],
    },
  },
  {
    fault: 'A length in a DER signature exceeds the signature',
    ...nvd('CVE-2020-14966'),
    here: 'The parser rejects lengths beyond the end of their content.',
    tests: {
      'core/crypto/signature_der.test.ts': [
        'a sequence longer than the bytes',
        'a number longer than the sequence',
      ],
    },
  },
  {
    fault: 'Another encoding of a signature is taken for another request',
    ...nvd('CVE-2020-13822'),
    here: 'The body identifies a request. A stamp with zeros before r and s, or with the other s, repeats the request.',
    tests: { 'museum/cves.test.ts': ['another encoding of a stamp repeats the request'] },
  },
  {
    fault: 'A verifier accepts negative integers in a DER signature',
    ...nvd('CVE-2024-42460'),
    here: 'The parser rejects an r or s with a set top bit.',
    tests: { 'core/crypto/signature_der.test.ts': ['negative r', 'negative s'] },
  },
  {
    fault: 'A verifier accepts BER in place of DER',
    ...nvd('CVE-2024-42461'),
    here: 'The parser rejects indefinite lengths and other types.',
    tests: {
      'core/crypto/signature_der.test.ts': [
        'an indefinite length',
        'a set in place of the sequence',
      ],
    },
  },
  {
    fault: 'A verifier accepts r and s of zero',
    ...nvd('CVE-2021-43572'),
    here: 'The parser and each verifier reject zero.',
    tests: {
      'core/crypto/signature_der.test.ts': ['zero r', 'zero s'],
      'core/crypto/verify.test.ts': ['zero and the order are not'],
    },
  },
  {
    fault: 'A verifier accepts r and s beyond their range',
    ...nvd('CVE-2022-24884'),
    here: 'The verifier rejects the order and larger numbers.',
    tests: { 'core/crypto/verify.test.ts': ['zero and the order are not'] },
  },
  {
    fault: 'An Ed25519 verifier accepts an s beyond the order',
    ...nvd('CVE-2024-48949'),
    here: 'Verifiers agree with the vectors of Wycheproof, which have such signatures.',
    tests: { 'standards/wycheproof_ed25519.test.ts': ['ed25519 from Wycheproof'] },
  },
  {
    fault: 'A nonce with leading zeros is shortened wrongly, which reveals the key',
    ...nvd('CVE-2025-14505'),
    here: 'Signatures with such nonces are those of another implementation.',
    tests: {
      'museum/cves.test.ts': [
        'a nonce with leading zeros gives the signature of another implementation',
      ],
    },
  },
  {
    fault: 'A weak generator repeats nonces of signatures',
    ...nvd('CVE-2013-7372'),
    here: 'Nonces follow RFC 6979 and need no generator.',
    tests: {
      'standards/rfc6979.test.ts': ['signatures, recovery bits and DER are those of the vectors'],
    },
  },
  {
    fault: 'Nonces are biased by a reduction',
    ...nvd('CVE-2024-31497'),
    here: 'The enclave discards numbers beyond the order.',
    tests: {
      'core/crypto/rfc6979.test.ts': ['numbers out of range are passed over as the standard says'],
    },
  },
  {
    fault: 'A list with a repeated last entry has the same Merkle root',
    ...nvd('CVE-2012-2459'),
    here: 'Trees follow RFC 6962, which repeats no entry.',
    tests: { 'museum/cves.test.ts': ['lists that repeat their last entries have different roots'] },
  },
  {
    fault: 'An inner node of a Merkle tree is presented as an entry',
    ...nvd('CVE-2017-12842'),
    here: 'Hashes of entries and of nodes have different prefixes.',
    tests: { 'museum/cves.test.ts': ['an inner node of the log is no entry of it'] },
  },
  {
    fault: 'A verifier uses a key from the header of the token',
    ...nvd('CVE-2018-0114'),
    here: 'The enclave uses keys of the issuer only.',
    tests: { 'core/auth/oidc_token.test.ts': ['keys that a token brings along are not looked at'] },
  },
  {
    fault: 'The header of a token selects HMAC, with the public key as the secret',
    ...nvd('CVE-2016-10555'),
    here: 'The enclave rejects HMAC, and the key determines the algorithm.',
    tests: {
      'core/auth/oidc_token.test.ts': [
        'HMAC under the published key is refused in every spelling of that key',
      ],
    },
  },
  {
    fault: 'A check against HMAC knows only some spellings of a public key',
    ...nvd('CVE-2024-33663'),
    here: 'The enclave has no HMAC for tokens, so no spelling matters.',
    tests: {
      'core/auth/oidc_token.test.ts': [
        'HMAC under the published key is refused in every spelling of that key',
      ],
    },
  },
  {
    fault: 'A verifier accepts an encrypted token as a signed one',
    ...nvd('CVE-2023-51774'),
    here: 'A token has three parts.',
    tests: {
      'core/auth/oidc_token.test.ts': [
        'text that is not a token, or has another number of parts, is refused',
      ],
    },
  },
  {
    fault: 'A key of an unsuitable type verifies a token',
    ...nvd('CVE-2022-23539'),
    here: 'Type, curve, use and length of a key must fit the algorithm.',
    tests: {
      'core/auth/oidc_token.test.ts': [
        'of another type',
        'off its curve',
        'RSA keys have 2048 to 8192 bits and a small odd exponent',
      ],
    },
  },
  {
    fault: 'A code of one use is accepted twice',
    ...nvd('CVE-2025-6015'),
    here: 'A verified code is used up.',
    tests: {
      'operations/one_time_codes/verify_otp.test.ts': [
        'verify_otp: wrong, expired, used, locked and unknown codes get the same refusal',
      ],
    },
  },
  {
    fault: 'An unusual Transfer-Encoding hides a request',
    ...nvd('CVE-2022-32213'),
    here: 'The gateway rejects each coding but `chunked`, and a length beside it.',
    tests: {
      'hostile/framing.test.ts': [
        'a malformed request is refused in JSON, and the next request is answered',
      ],
      'hostile/framing_cases.ts': ['chunked, identity', 'a hidden request'],
    },
  },
  {
    fault: 'A folded Transfer-Encoding hides a request',
    ...nvd('CVE-2022-32215'),
    here: 'The gateway rejects folded headers.',
    tests: {
      'hostile/framing.test.ts': [
        'a malformed request is refused in JSON, and the next request is answered',
      ],
      'hostile/framing_cases.ts': ['a folded value'],
    },
  },
  {
    fault: 'A bare carriage return ends a header',
    ...nvd('CVE-2023-30589'),
    here: 'The gateway rejects the request.',
    tests: {
      'hostile/framing.test.ts': [
        'a malformed request is refused in JSON, and the next request is answered',
      ],
      'hostile/framing_cases.ts': ['a bare carriage return'],
    },
  },
  {
    fault: 'A space before the first header hides it',
    ...nvd('CVE-2024-27982'),
    here: 'The gateway rejects the request.',
    tests: {
      'hostile/framing.test.ts': [
        'a malformed request is refused in JSON, and the next request is answered',
      ],
      'hostile/framing_cases.ts': ['a folded first header'],
    },
  },
  {
    fault: 'Nested CBOR overflows the stack',
    ...nvd('CVE-2019-25001'),
    here: 'The parser has a limit of 8 levels.',
    tests: { 'core/auth/cbor.test.ts': ['nesting beyond the limit is refused at once'] },
  },
  {
    fault: 'A stated length in CBOR allocates memory',
    ...nvd('CVE-2020-28491'),
    here: 'The parser rejects lengths beyond the end of its bytes.',
    tests: {
      'core/auth/cbor.test.ts': ['an array of 2^64 - 1 items', 'bytes of a length above 2^53'],
    },
  },
  {
    fault: 'Nested JSON overflows the stack',
    ...nvd('CVE-2020-36518'),
    here: 'The enclave reads 32 levels.',
    tests: {
      'hostile/bodies.test.ts': ['a body is read 32 levels deep, at every position'],
    },
  },
  {
    fault: 'An internal address in octal or hexadecimal passes for a public one',
    ...nvd('CVE-2024-29415'),
    here: 'The gateway checks the parsed and the resolved address. Tests use each spelling.',
    tests: { 'gateway/outbound/outbound.test.ts': ['no hostile URL is dialled or even resolved'] },
  },
  {
    fault: 'A web page reaches the local server of tools for agents',
    ...nvd('CVE-2025-66414'),
    here: 'The server requires a token, and rejects requests of pages.',
    tests: {
      'cli/mcp.test.ts': ['over HTTP a client needs the token, and no page gets an answer'],
    },
  },
];
