// The expected explanations of each Bitcoin vector.

export type Told = {
  readonly summary: string;
  readonly effects: readonly string[];
  readonly fee: string | undefined;
  readonly warnings: readonly (readonly [string, string])[];
};

const otherNetwork = [
  'NO_CHAIN_ID',
  'The signed bytes name no network. If the spent coins are on the main network, the payment is valid there.',
] as const;

export const told: Readonly<Record<string, Told>> = {
  'p2wpkh, one input, mainnet': {
    summary:
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
      '0.00049 BTC goes back to bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [],
  },
  'p2tr, one input, mainnet': {
    summary:
      'bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
      '0.00049 BTC goes back to bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [],
  },
  'p2pkh, one input, mainnet': {
    summary:
      '1DPRFrFsc16JCVQP1HcgKHBL7P1MkHRY87 sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      '1DPRFrFsc16JCVQP1HcgKHBL7P1MkHRY87 sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
      '0.00049 BTC goes back to 1DPRFrFsc16JCVQP1HcgKHBL7P1MkHRY87.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [],
  },
  'p2wsh, one input, mainnet': {
    summary:
      'bc1qadt7rjurdflct4g2avk9w4dqer6kx52ar3qynefyzma07vl7jz3qldsejr sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1qadt7rjurdflct4g2avk9w4dqer6kx52ar3qynefyzma07vl7jz3qldsejr sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
      '0.00049 BTC goes back to bc1qadt7rjurdflct4g2avk9w4dqer6kx52ar3qynefyzma07vl7jz3qldsejr.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [],
  },
  'p2wpkh, one input, testnet': {
    summary:
      'tb1qsl0w3yvmwvy954sae2jj773mk5gt0adzz29wxz sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e on testnet.',
    effects: [
      'tb1qsl0w3yvmwvy954sae2jj773mk5gt0adzz29wxz sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e.',
      '0.00049 BTC goes back to tb1qsl0w3yvmwvy954sae2jj773mk5gt0adzz29wxz.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [otherNetwork],
  },
  'p2tr, one input, testnet': {
    summary:
      'tb1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphq4kvf2v sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e on testnet.',
    effects: [
      'tb1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphq4kvf2v sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e.',
      '0.00049 BTC goes back to tb1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphq4kvf2v.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [otherNetwork],
  },
  'p2pkh, one input, testnet': {
    summary:
      'msuNYuLrR2XYybszirb49CPeyNc4kt5J5r sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e on testnet.',
    effects: [
      'msuNYuLrR2XYybszirb49CPeyNc4kt5J5r sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e.',
      '0.00049 BTC goes back to msuNYuLrR2XYybszirb49CPeyNc4kt5J5r.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [otherNetwork],
  },
  'p2wsh, one input, testnet': {
    summary:
      'tb1qadt7rjurdflct4g2avk9w4dqer6kx52ar3qynefyzma07vl7jz3qg9xkgv sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e on testnet.',
    effects: [
      'tb1qadt7rjurdflct4g2avk9w4dqer6kx52ar3qynefyzma07vl7jz3qg9xkgv sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e.',
      '0.00049 BTC goes back to tb1qadt7rjurdflct4g2avk9w4dqer6kx52ar3qynefyzma07vl7jz3qg9xkgv.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [otherNetwork],
  },
  'p2wpkh, one input, signet': {
    summary:
      'tb1qsl0w3yvmwvy954sae2jj773mk5gt0adzz29wxz sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e on signet.',
    effects: [
      'tb1qsl0w3yvmwvy954sae2jj773mk5gt0adzz29wxz sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e.',
      '0.00049 BTC goes back to tb1qsl0w3yvmwvy954sae2jj773mk5gt0adzz29wxz.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [otherNetwork],
  },
  'p2tr, one input, signet': {
    summary:
      'tb1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphq4kvf2v sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e on signet.',
    effects: [
      'tb1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphq4kvf2v sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e.',
      '0.00049 BTC goes back to tb1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphq4kvf2v.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [otherNetwork],
  },
  'p2pkh, one input, signet': {
    summary:
      'msuNYuLrR2XYybszirb49CPeyNc4kt5J5r sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e on signet.',
    effects: [
      'msuNYuLrR2XYybszirb49CPeyNc4kt5J5r sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e.',
      '0.00049 BTC goes back to msuNYuLrR2XYybszirb49CPeyNc4kt5J5r.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [otherNetwork],
  },
  'p2wsh, one input, signet': {
    summary:
      'tb1qadt7rjurdflct4g2avk9w4dqer6kx52ar3qynefyzma07vl7jz3qg9xkgv sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e on signet.',
    effects: [
      'tb1qadt7rjurdflct4g2avk9w4dqer6kx52ar3qynefyzma07vl7jz3qg9xkgv sends 0.0005 BTC to tb1qzz95l2ltc5wkaawt2kv9ykcrfsfccspp4lzg7e.',
      '0.00049 BTC goes back to tb1qadt7rjurdflct4g2avk9w4dqer6kx52ar3qynefyzma07vl7jz3qg9xkgv.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [otherNetwork],
  },
  'p2wpkh, one input, regtest': {
    summary:
      'bcrt1qsl0w3yvmwvy954sae2jj773mk5gt0adzqrur3t sends 0.0005 BTC to bcrt1qzz95l2ltc5wkaawt2kv9ykcrfsfccspphkm9fs on regtest.',
    effects: [
      'bcrt1qsl0w3yvmwvy954sae2jj773mk5gt0adzqrur3t sends 0.0005 BTC to bcrt1qzz95l2ltc5wkaawt2kv9ykcrfsfccspphkm9fs.',
      '0.00049 BTC goes back to bcrt1qsl0w3yvmwvy954sae2jj773mk5gt0adzqrur3t.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [otherNetwork],
  },
  'p2tr, one input, regtest': {
    summary:
      'bcrt1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqc0x0lk sends 0.0005 BTC to bcrt1qzz95l2ltc5wkaawt2kv9ykcrfsfccspphkm9fs on regtest.',
    effects: [
      'bcrt1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqc0x0lk sends 0.0005 BTC to bcrt1qzz95l2ltc5wkaawt2kv9ykcrfsfccspphkm9fs.',
      '0.00049 BTC goes back to bcrt1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqc0x0lk.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [otherNetwork],
  },
  'p2pkh, one input, regtest': {
    summary:
      'msuNYuLrR2XYybszirb49CPeyNc4kt5J5r sends 0.0005 BTC to bcrt1qzz95l2ltc5wkaawt2kv9ykcrfsfccspphkm9fs on regtest.',
    effects: [
      'msuNYuLrR2XYybszirb49CPeyNc4kt5J5r sends 0.0005 BTC to bcrt1qzz95l2ltc5wkaawt2kv9ykcrfsfccspphkm9fs.',
      '0.00049 BTC goes back to msuNYuLrR2XYybszirb49CPeyNc4kt5J5r.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [otherNetwork],
  },
  'p2wsh, one input, regtest': {
    summary:
      'bcrt1qadt7rjurdflct4g2avk9w4dqer6kx52ar3qynefyzma07vl7jz3q9uvsak sends 0.0005 BTC to bcrt1qzz95l2ltc5wkaawt2kv9ykcrfsfccspphkm9fs on regtest.',
    effects: [
      'bcrt1qadt7rjurdflct4g2avk9w4dqer6kx52ar3qynefyzma07vl7jz3q9uvsak sends 0.0005 BTC to bcrt1qzz95l2ltc5wkaawt2kv9ykcrfsfccspphkm9fs.',
      '0.00049 BTC goes back to bcrt1qadt7rjurdflct4g2avk9w4dqer6kx52ar3qynefyzma07vl7jz3q9uvsak.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [otherNetwork],
  },
  'p2wpkh, three inputs': {
    summary:
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.0003 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.0003 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
      '0.00029 BTC goes back to bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3.',
    ],
    fee: undefined,
    warnings: [
      [
        'UNVERIFIED_AMOUNT',
        'Nothing proves the amount of 3 inputs, and not every signature covers it. The fee is unknown until the PSBT has their previous transactions (non_witness_utxo).',
      ],
    ],
  },
  'p2tr, three inputs': {
    summary:
      'bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr sends 0.0003 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr sends 0.0003 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
      '0.00029 BTC goes back to bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [],
  },
  'p2wpkh, version 1, locktime in blocks': {
    summary:
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
      '0.00049 BTC goes back to bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3.',
      'It is valid only in blocks after block 850000.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [],
  },
  'p2wpkh, locktime in seconds': {
    summary:
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
      '0.00049 BTC goes back to bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3.',
      'It is not valid before 2030-03-17T17:46:40Z.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [],
  },
  'p2tr, final sequence': {
    summary:
      'bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
      '0.00049 BTC goes back to bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [],
  },
  'p2wpkh, relative lock': {
    summary:
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
      '0.00049 BTC goes back to bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3.',
      'It is not valid until a coin that it spends is 144 blocks old.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [],
  },
  'p2wpkh, one output of each kind': {
    summary:
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.00015 BTC to 5 outputs of other addresses.',
    effects: [
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.00001 BTC to 1Lm8sr3rDbUupGaQhPgf2aPMDapkLLaAw9.',
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.00002 BTC to 3JdrXDAJdXEDfm9FuebXjKD7KX2f3jL4xJ.',
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.00003 BTC to bc1qhjtekl42rzr8eslq5zysmupa94klm9pu96vr00.',
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.00004 BTC to bc1qfp36zcy7x49mfwefc4cqyjyjz2akxnup26fj7xfnpppnsryxvfeq2excvt.',
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.00005 BTC to bc1p6qj2rz0p06js4nvqswkderetl0c94jt5080ctfv5t0yhyvs69vyqer7v7w.',
    ],
    fee: 'The fee is 0.00085 BTC.',
    warnings: [
      ['HIGH_FEE', 'The fee is more than a tenth of the amount that other addresses get.'],
    ],
  },
  'p2wpkh, OP_RETURN': {
    summary:
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.00099 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'It publishes the script 6a0568656c6c6f with the text "hello".',
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.00099 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [],
  },
  'p2wpkh, pay to anchor': {
    summary:
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.0009924 BTC to 2 outputs of other addresses.',
    effects: [
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.0000024 BTC to the anchor bc1pfeessrawgf, which anyone may spend.',
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.00099 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    ],
    fee: 'The fee is 0.0000076 BTC.',
    warnings: [],
  },
  'p2wpkh, no fee': {
    summary:
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.001 BTC to bc1pmevvmv08ydk2sn4hjlt3nq7mj0jwr2uaqegv7scjfn9n4whx9r8qjj4v5j.',
    effects: [
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 sends 0.001 BTC to bc1pmevvmv08ydk2sn4hjlt3nq7mj0jwr2uaqegv7scjfn9n4whx9r8qjj4v5j.',
    ],
    fee: 'The fee is 0 BTC.',
    warnings: [],
  },
  'p2wpkh and a foreign input': {
    summary:
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 and other addresses send 0.00105 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 and other addresses send 0.00105 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    ],
    fee: undefined,
    warnings: [
      [
        'UNVERIFIED_AMOUNT',
        'Nothing proves the amount of 1 input, and not every signature covers it. The fee is unknown until the PSBT has their previous transactions (non_witness_utxo).',
      ],
      ['OTHER_SIGNERS', '1 of 2 inputs spend from other addresses, whose owners sign them.'],
    ],
  },
  'p2wpkh, the foreign input is signed already': {
    summary:
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 and other addresses send 0.00105 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 and other addresses send 0.00105 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    ],
    fee: undefined,
    warnings: [
      [
        'UNVERIFIED_AMOUNT',
        'Nothing proves the amount of 1 input, and not every signature covers it. The fee is unknown until the PSBT has their previous transactions (non_witness_utxo).',
      ],
      ['OTHER_SIGNERS', '1 of 2 inputs spend from other addresses, whose owners sign them.'],
    ],
  },
  'p2tr and a foreign p2wpkh input': {
    summary:
      'bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr and other addresses send 0.00105 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr and other addresses send 0.00105 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    ],
    fee: 'The fee is 0.00005 BTC.',
    warnings: [
      ['OTHER_SIGNERS', '1 of 2 inputs spend from other addresses, whose owners sign them.'],
    ],
  },
  'p2wpkh and p2tr of the same key: the address decides': {
    summary:
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 and other addresses send 0.00105 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1qsl0w3yvmwvy954sae2jj773mk5gt0adzgv7aa3 and other addresses send 0.00105 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    ],
    fee: undefined,
    warnings: [
      [
        'UNVERIFIED_AMOUNT',
        'Nothing proves the amount of 1 input, and not every signature covers it. The fee is unknown until the PSBT has their previous transactions (non_witness_utxo).',
      ],
      ['OTHER_SIGNERS', '1 of 2 inputs spend from other addresses, whose owners sign them.'],
    ],
  },
  'p2sh account (nested p2wpkh)': {
    summary:
      '37kduALL3xSKPuXAuZANinAJfbac3sVZpu sends 0.00045 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      '37kduALL3xSKPuXAuZANinAJfbac3sVZpu sends 0.00045 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    ],
    fee: 'The fee is 0.00005 BTC.',
    warnings: [
      ['HIGH_FEE', 'The fee is more than a tenth of the amount that other addresses get.'],
    ],
  },
  'p2tr without the internal key in the PSBT': {
    summary:
      'bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
    effects: [
      'bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr sends 0.0005 BTC to bc1qzz95l2ltc5wkaawt2kv9ykcrfsfccsppleem92.',
      '0.00049 BTC goes back to bc1pztnmck7kecwlgrp6tyyj63ds9ufdyru3jcddkrzsqgy9h93mpphqz76xsr.',
    ],
    fee: 'The fee is 0.00001 BTC.',
    warnings: [],
  },
};
