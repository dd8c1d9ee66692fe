// Messages, permits and other payloads in words, equal in the enclave, the page and the terminal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import { ethereumKind } from '../../../src/core/transactions/ethereum/index.ts';
import {
  explainPayloads,
  signedTexts,
} from '../../../src/core/transactions/payload_explanation.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
} from '../../support/transaction_vectors.ts';

const [ethereumVector] = readVectors<TransactionVector>('ethereum');
assert(ethereumVector !== undefined);

const signer = '0x97D3bB249F216718bc39955e49f3a0d274faeC90';
const spender = '0xDD92686B88FAF78c826eC71d23D63d3Db11777bA';
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const unlimited = (2n ** 256n - 1n).toString();

const message = (text: string | Uint8Array, title = 'Ethereum') => {
  const bytes = typeof text === 'string' ? utf8(text) : text;
  return hex(utf8(`\u0019${title} Signed Message:\n${bytes.length}`)) + hex(bytes);
};
const asked = (payload: string, more: Partial<Parameters<typeof explainPayloads>[0]> = {}) => ({
  signWith: signer,
  payloads: [payload],
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_KECCAK256',
  ...more,
});
const textUtf8 = 'PAYLOAD_ENCODING_TEXT_UTF8';
const warningsOf = (payload: string, more = {}) =>
  explainPayloads(asked(payload, more)).warnings.map(({ code, text }) => `${code}: ${text}`);

test('a message with the prefix of EIP-191 is shown as text with its length', () => {
  const { summary, effects, warnings } = explainPayloads(asked(message('I agree to pay 5 €')));
  assert.equal(summary, `${signer} signs a message of 18 characters (EIP-191).`);
  assert.deepEqual(effects, [{ kind: 'MESSAGE', text: 'The message: "I agree to pay 5 €"' }]);
  assert.deepEqual(warnings, []);
  assert.match(explainPayloads(asked(message('hello', 'TRON'))).summary, /\(TIP-191\)\.$/);
  // Ten bytes, whose length has two digits.
  assert.match(explainPayloads(asked(message('0123456789'))).summary, / 10 characters /);
  assert.match(explainPayloads(asked(message(''))).summary, / 0 characters /);
});

test('a wrong length in the prefix is not a message', () => {
  const wrong = hex(utf8('\u0019Ethereum Signed Message:\n4hello'));
  assert.match(explainPayloads(asked(wrong)).summary, /without a standard meaning\.$/);
  assert.deepEqual(warningsOf(wrong), [
    'UNKNOWN_PAYLOAD: The bytes may be anything, including a transaction.',
  ]);
});

test('unusual characters of a message are named', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['pay \u202e5 ETH', /turn the direction of the text \(U\+202E\)/],
    ['pay\u200b 5', /cannot be seen \(U\+200B\)/],
    ['pay to p\u0430ypal.com', /mixes letters of several alphabets: p\u0430ypal/],
    [`hello${'\n'.repeat(30)}and all my tokens`, /Blank space may hide/],
    [`0x${'ab'.repeat(32)}`, /^HASH_ONLY: The message is a hash/],
    ['x'.repeat(1_200), /^UNUSUAL_TEXT: 200 more characters/],
  ];
  for (const [text, expected] of cases) {
    const warnings = warningsOf(message(text));
    assert.equal(warnings.length, 1, JSON.stringify(text));
    assert.match(String(warnings[0]), expected);
  }
  assert.deepEqual(warningsOf(message('Zürich, Ελλάδα, Москва\n\n5 €')), []);
});

test('a long text without blanks is examined in milliseconds, and its rest is named', () => {
  for (const letter of ['а', 'α', 'a', ' ', '\t']) {
    const long = letter.repeat(1_000_000);
    const start = performance.now();
    const { summary, warnings } = explainPayloads(asked(long, { encoding: textUtf8 }));
    // A pattern that reads the text again from each letter takes hours.
    assert(performance.now() - start < 1_000);
    const { length } = utf8(long);
    assert.equal(summary, `${signer} signs a message of ${length} bytes.`);
    const texts = warnings.map(({ text }) => text);
    assert(texts.includes('Characters after the first 20000 were not examined.'));
    assert(texts.includes('Most characters of the message are not shown here.'));
  }
  // The longest text that is examined whole.
  const start = performance.now();
  const whole = warningsOf(`${'а'.repeat(19_999)}a`, { encoding: textUtf8 });
  assert(performance.now() - start < 1_000);
  assert.match(String(whole), /A word mixes letters of several alphabets/);
});

test('a message that is not text is shown as bytes', () => {
  const { summary, effects } = explainPayloads(asked(message(Uint8Array.of(0xff, 0xfe))));
  assert.equal(summary, `${signer} signs a message of 2 bytes that is not text (EIP-191).`);
  assert.equal(effects[0]?.text, 'Its bytes: 0xfffe');
  assert.match(String(warningsOf(message(new Uint8Array(32).fill(0xc1)))), /^HASH_ONLY/);
});

test('a sign-in names the site, and an account other than the signer', () => {
  const of = (account: string) =>
    message(`example.com wants you to sign in with your Ethereum account:\n${account}\n\nNonce: 1`);
  assert.equal(
    explainPayloads(asked(of(signer))).summary,
    `${signer} signs in to example.com (EIP-191).`,
  );
  assert.deepEqual(warningsOf(of(signer)), []);
  assert.match(String(warningsOf(of(spender))), /^OWNER_IS_ANOTHER: The message signs in as /);
});

test('a sign-in with the address of another site is warned of', () => {
  const of = (uri: string) =>
    message(
      `example.com:8443 wants you to sign in with your Ethereum account:\n${signer}\n\nURI: ${uri}\nVersion: 1\nNonce: 1`,
    );
  for (const uri of ['https://example.com:8443/login', 'https://EXAMPLE.com:8443', 'did:key:z1']) {
    assert.deepEqual(warningsOf(of(uri)), [], uri);
  }
  for (const uri of [
    'https://example.org',
    'https://example.com',
    'https://example.com@evil.org',
  ]) {
    assert.match(
      String(warningsOf(of(uri))),
      /^UNUSUAL_TEXT: The message signs in to example\.com:8443, but its address is at /,
      uri,
    );
  }
});

test('a sign-in with a Solana account names the site, and an account other than the signer', () => {
  const account = '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR';
  const of = (signWith: string) =>
    explainPayloads(
      asked(hex(utf8(`example.com wants you to sign in with your Solana account:\n${account}`)), {
        signWith,
        hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
      }),
    );
  assert.equal(of(account).summary, `${account} signs in to example.com.`);
  assert.deepEqual(of(account).warnings, []);
  const [other] = of('4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi').warnings;
  assert.equal(other?.code, 'OWNER_IS_ANOTHER');
  // A signer that is named by an ID may be any account.
  assert.deepEqual(of('0b9ad5a0-0000-4000-8000-000000000001').warnings, []);
});

test('texts and bytes without a prefix are distinguished', () => {
  const text = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' };
  assert.match(
    explainPayloads(asked('hello', text)).summary,
    / signs a message of 5 characters\.$/,
  );
  const solana = { hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' };
  assert.match(explainPayloads(asked(hex(utf8('hello')), solana)).summary, / of 5 characters\.$/);
  // A Solana transaction begins with the numbers of signatures and accounts.
  assert.match(
    explainPayloads(asked('0100010368656c6c6f', solana)).summary,
    /without a standard meaning/,
  );
  const hash = { hashFunction: 'HASH_FUNCTION_NO_OP' };
  assert.match(
    String(warningsOf('ab'.repeat(32), hash)),
    /^HASH_ONLY: The request has only a hash/,
  );
});

test('a text without a prefix is warned of, since it can be the bytes of a transaction', () => {
  const addressed = `94${hex(utf8('a harmless greeting'))}c3`;
  // Nonce 0, gas price, gas, recipient, value, no data: a legacy transaction of any chain.
  const bytes = Uint8Array.fromHex(
    `e8808541414141c38252c3${addressed}87${hex(utf8('hello!'))}c380`,
  );
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const read = ethereumKind.format.read(bytes, accountOf(ethereumVector));
  assert.equal(read.value, BigInt(`0x${hex(utf8('hello!'))}c3`));
  const asText = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' };
  assert.deepEqual(warningsOf(text, asText), [
    'UNKNOWN_PAYLOAD: The text has no prefix of a chain, so the signature may also be valid for a transaction.',
  ]);
  assert.equal(warningsOf(hex(utf8('hello')), {}).length, 1);
  // A prefix in the text itself separates it from transactions.
  const prefixed = '\u0019Ethereum Signed Message:\n5hello';
  assert.deepEqual(warningsOf(prefixed, asText), []);
});

test('a text of 32 bytes that an Ed25519 account signs is warned of, since chains sign such hashes', () => {
  const signed = (text: string) =>
    warningsOf(hex(utf8(text)), { hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' });
  assert.deepEqual(signed('a greeting with 32 characters ok'), [
    'HASH_ONLY: The message has 32 bytes, like the hash of a transaction, which some chains sign.',
  ]);
  assert.deepEqual(signed('a greeting of another length'), []);
});

test('a text without a prefix is warned of with each hash, since Cosmos and Bitcoin sign hashes of texts', () => {
  for (const hashFunction of ['HASH_FUNCTION_SHA256', 'HASH_FUNCTION_KECCAK256']) {
    assert.deepEqual(warningsOf('hello', { encoding: textUtf8, hashFunction }), [
      'UNKNOWN_PAYLOAD: The text has no prefix of a chain, so the signature may also be valid for a transaction.',
    ]);
  }
});

test('a hash in digits is named with and without 0x', () => {
  for (const prefix of ['', '0x']) {
    assert.deepEqual(warningsOf(message(`${prefix}${'Ab'.repeat(32)}`)), [
      'HASH_ONLY: The message is a hash in hexadecimal digits and does not show what is agreed to.',
    ]);
  }
});

test('a request to a wallet service is named, also in escaped letters, and so is a login', () => {
  const accepted = 'which may execute it with this signature.';
  const request = {
    type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
    organizationId: '0b9ad5a0-0000-4000-8000-000000000001',
    parameters: { fingerprint: 'sha256:00' },
  };
  const text = JSON.stringify(request);
  const { organizationId } = request;
  for (const [body, name] of [
    [text, ' (ACTIVITY_TYPE_APPROVE_ACTIVITY)'],
    [text.replace('ACTIVITY', '\\u0041CTIVITY'), ' (ACTIVITY_TYPE_APPROVE_ACTIVITY)'],
    ['{"login":{},"type":"USAGE_TYPE_LOGIN","tokenId":"1"}', ' (USAGE_TYPE_LOGIN)'],
    [JSON.stringify({ organizationId }), ''],
  ] as const) {
    assert.deepEqual(warningsOf(message(body)), [
      `UNKNOWN_PAYLOAD: The message is a request to a wallet service${name}, ${accepted}`,
    ]);
  }
  assert.deepEqual(warningsOf(message('{"a":1}')), []);
  assert.deepEqual(warningsOf(message('{"a":')), []);
  assert.deepEqual(warningsOf(message(`{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`)).length, 1);
});

test('a transaction of a Cosmos chain is named with its messages', () => {
  const msgs = [{ type: 'cosmos-sdk/MsgSend', value: {} }, {}, { type: { toString: 1 } }];
  const text = JSON.stringify({ chain_id: 'hub-4', fee: {}, memo: 'hi', msgs, sequence: '1' });
  const asText = { encoding: textUtf8, hashFunction: 'HASH_FUNCTION_SHA256' };
  assert.equal(
    warningsOf(text, asText)[0],
    'UNKNOWN_PAYLOAD: The message is a transaction of the chain "hub-4" with cosmos-sdk/MsgSend, a message without a type, a message without a type.',
  );
});

test('a token is shown with the claims that its signature asserts', () => {
  const part = (value: object) => utf8(JSON.stringify(value)).toBase64({ alphabet: 'base64url' });
  const token = `${part({ alg: 'ES256' })}.${part({ sub: 'admin' })}`.replaceAll('=', '');
  const { effects, warnings } = explainPayloads(asked(message(token)));
  assert.equal(effects[1]?.text, 'Claims of the token: "{\\"sub\\":\\"admin\\"}"');
  assert.deepEqual(
    warnings.map(({ text }) => text),
    [
      'The message is a token (JWT) without its signature. Once signed, it may log in or grant rights.',
    ],
  );
  assert.deepEqual(warningsOf(message('example.com')), []);
});

test('a sign-in with a name in foreign letters, or with further rights, is warned of', () => {
  const signIn = (site: string, rest = '') =>
    message(
      `${site} wants you to sign in with your Ethereum account:\n${signer}\n\nNonce: 1${rest}`,
    );
  assert.deepEqual(warningsOf(signIn('аррӏе.com')), [
    'UNUSUAL_TEXT: The name of the site has letters that may look like others. In ASCII it is xn--80ak6aa92e.com.',
  ]);
  const rights = utf8('{"att":{"https://a":{"all":[]}}}').toBase64({ alphabet: 'base64url' });
  const asked5573 = asked(signIn('example.com', `\nResources:\n- urn:recap:${rights}`));
  const { effects, warnings } = explainPayloads(asked5573);
  assert.match(String(effects[1]?.text), /^Its rights: "\{\\"att\\"/);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['NEW_AUTHORITY'],
  );
});

test('the text of a message is returned whole for a page that shows its lines', () => {
  const text = `a\n${'b'.repeat(5_000)}`;
  assert.deepEqual(signedTexts(asked(message(text))), [text]);
  assert.deepEqual(signedTexts(asked('abcd')), [undefined]);
});

test('several payloads are counted, and each is explained', () => {
  const payloads = [message('one'), message('two'), ...Array.from({ length: 30 }, () => 'ab')];
  const { summary, effects, warnings } = explainPayloads(asked('', { payloads }));
  assert.equal(summary, `${signer} signs 32 payloads.`);
  assert.equal(effects[1]?.text, 'The message: "one"');
  assert.equal(effects.at(-1)?.text, 'Signs 12 more payloads, not shown here.');
  assert.deepEqual(
    warnings.map(({ text }) => text),
    [
      '12 of the signed payloads are not shown here.',
      'The bytes may be anything, including a transaction.',
    ],
  );
});

type Fields = readonly (readonly [name: string, type: string])[];

function typed(
  primaryType: string,
  types: Readonly<Record<string, Fields>>,
  body: object,
  domain: object,
): string {
  const written = Object.entries(types).map(([name, fields]) => [
    name,
    fields.map(([field, type]) => ({ name: field, type })),
  ]);
  return JSON.stringify({ types: Object.fromEntries(written), primaryType, domain, message: body });
}
const eip712 = { encoding: 'PAYLOAD_ENCODING_EIP712', hashFunction: 'HASH_FUNCTION_NO_OP' };
const permitFields: Fields = [
  ['owner', 'address'],
  ['spender', 'address'],
  ['value', 'uint256'],
  ['nonce', 'uint256'],
  ['deadline', 'uint256'],
];
const permit = (value: string, deadline: number, owner = signer) =>
  typed(
    'Permit',
    { Permit: permitFields },
    { owner, spender, value, nonce: 0, deadline },
    { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: usdc },
  );

test('an ERC-2612 permit names the spender, the tokens and the end', () => {
  const { summary, effects, warnings } = explainPayloads(
    asked(permit('25000000', 1_800_000_000), eip712),
  );
  assert.equal(
    summary,
    `${signer} lets ${spender} take up to 25 USDC on Ethereum, by a signature alone (Permit, ERC-2612). The signature can be used until 2027-01-15T08:00:00Z.`,
  );
  const [effect, hashes] = effects;
  assert.deepEqual(effect, {
    kind: 'APPROVAL',
    text: `${signer} lets ${spender} take up to 25 USDC.`,
    from: signer,
    to: spender,
    amount: '25000000',
    asset: usdc,
  });
  assert.equal(hashes?.kind, 'MESSAGE');
  assert.deepEqual(warnings, []);
});

test('a permit without a limit or an end, or of another account, is warned of', () => {
  const of = (...given: Parameters<typeof permit>) =>
    explainPayloads(asked(permit(...given), eip712)).warnings.map(({ code }) => code);
  assert.deepEqual(of(unlimited, 1_800_000_000), ['UNLIMITED_APPROVAL']);
  const [warning] = explainPayloads(asked(permit(unlimited, 1_800_000_000), eip712)).warnings;
  assert.match(String(warning?.text), / can take the whole balance of .+, now and later\.$/);
  assert.deepEqual(of('1', 9_999_999_999), ['NO_EXPIRY']);
  assert.deepEqual(of('1', 1_800_000_000, spender), ['OWNER_IS_ANOTHER']);
});

test('a permit of a collection names the token that the spender may take', () => {
  const collection = typed(
    'Permit',
    {
      Permit: [
        ['spender', 'address'],
        ['tokenId', 'uint256'],
        ['nonce', 'uint256'],
        ['deadline', 'uint256'],
      ],
    },
    { spender, tokenId: 77, nonce: 0, deadline: 1_800_000_000 },
    { name: 'Positions', version: '1', chainId: 1, verifyingContract: permit2 },
  );
  const { summary, effects, warnings } = explainPayloads(asked(collection, eip712));
  assert.equal(
    summary,
    `${signer} lets ${spender} take token 77 of the collection ${permit2} on Ethereum, by a signature alone (Permit, ERC-4494). The signature can be used until 2027-01-15T08:00:00Z.`,
  );
  assert.deepEqual([effects[0]?.kind, effects[0]?.to], ['APPROVAL', spender]);
  assert.deepEqual(warnings, []);
});

const permit2Types = {
  PermitSingle: [
    ['details', 'PermitDetails'],
    ['spender', 'address'],
    ['sigDeadline', 'uint256'],
  ],
  PermitDetails: [
    ['token', 'address'],
    ['amount', 'uint160'],
    ['expiration', 'uint48'],
    ['nonce', 'uint48'],
  ],
} as const;

test('an unlimited permit of Permit2 is warned of, and a false Permit2 is named', () => {
  const details = {
    token: usdc,
    amount: (2n ** 160n - 1n).toString(),
    expiration: 281474976710655,
    nonce: 0,
  };
  const of = (contract: string) =>
    explainPayloads(
      asked(
        typed(
          'PermitSingle',
          permit2Types,
          { details, spender, sigDeadline: 1_800_000_000 },
          { name: 'Permit2', chainId: 1, verifyingContract: contract },
        ),
        eip712,
      ),
    );
  const { summary, warnings } = of(permit2);
  assert.match(summary, new RegExp(`lets ${spender} take any amount of USDC at any time`));
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['UNLIMITED_APPROVAL', 'NO_EXPIRY'],
  );
  assert.match(String(of(usdc).warnings.at(-1)?.text), /is not the contract of Permit2/);
});

test('typed data of no standard is named, and a type with only the name of a permit is not explained as one', () => {
  const note = (primaryType: string) =>
    explainPayloads(
      asked(
        typed(
          primaryType,
          { [primaryType]: [['spender', 'address']] },
          { spender },
          {
            name: 'Shop',
            chainId: 1,
            verifyingContract: usdc,
          },
        ),
        eip712,
      ),
    );
  assert.equal(note('Order').summary, 'Typed data: Order for Shop.');
  assert.equal(note('Permit').summary, 'Typed data: Permit for Shop.');
  // An order of an exchange moves tokens by the signature alone, like a permit.
  for (const type of ['Order', 'Permit']) {
    assert.deepEqual(note(type).warnings, [
      {
        code: 'UNKNOWN_PAYLOAD',
        text: `The effect of the signature is unknown: ${usdc} may accept it as an order or a permission that moves tokens.`,
      },
    ]);
  }
});

test('unusual texts in typed data are warned of, also inside of lists and permits', () => {
  const domain = { name: 'Shop', chainId: 1, verifyingContract: usdc };
  const note = (names: readonly string[]) =>
    warningsOf(typed('Note', { Note: [['names', 'string[]']] }, { names }, domain), eip712).slice(
      1,
    );
  assert.deepEqual(note(['payroll', '10 % fee']), []);
  assert.deepEqual(note(['payroll', 'pay\u202eroll']), [
    'UNUSUAL_TEXT: In the data: Characters turn the direction of the text (U+202E).',
  ]);
  assert.deepEqual(note(['раyroll']), [
    'UNUSUAL_TEXT: In the data: A word mixes letters of several alphabets: раyroll.',
  ]);
  const named = typed(
    'Permit',
    { Permit: permitFields },
    { owner: signer, spender, value: '1', nonce: 0, deadline: 1_800_000_000 },
    { ...domain, name: 'USD Сoin' },
  );
  assert.match(
    String(warningsOf(named, eip712)),
    /A word mixes letters of several alphabets: Сoin/,
  );
});

test('typed data of a Cosmos chain is named as a transaction', () => {
  const fields: Fields = [
    ['account_number', 'string'],
    ['chain_id', 'string'],
    ['fee', 'string'],
    ['sequence', 'string'],
  ];
  const message = { account_number: '1', chain_id: 'evmos_9001-2', fee: '', sequence: '1' };
  const body = typed('Tx', { Tx: fields }, message, { name: 'Cosmos Web3', chainId: 9001 });
  const { summary, warnings } = explainPayloads(asked(body, eip712));
  assert.equal(summary, 'Typed data: a transaction of the chain "evmos_9001-2".');
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['UNKNOWN_PAYLOAD'],
  );
});

test('typed data of no standard that names no chain is warned of as valid on each', () => {
  const fields: Fields = [['spender', 'address']];
  const body = typed('Order', { Order: fields }, { spender }, { verifyingContract: usdc });
  const codes = warningsOf(body, eip712).map((text) => text.split(':')[0]);
  assert.deepEqual(codes, ['UNKNOWN_PAYLOAD', 'NO_CHAIN_ID']);
});

test('a permit with other types than its standard, or with terms of the spender, is warned of', () => {
  const domain = { name: 'Shop', chainId: 1, verifyingContract: permit2 };
  const message = { owner: signer, spender, value: '1', nonce: 0, deadline: 1_800_000_000 };
  const warned = (
    primaryType: string,
    types: Readonly<Record<string, Fields>>,
    body: object = message,
  ) => warningsOf(typed(primaryType, types, body, domain), eip712);
  const longer: Fields = [...permitFields, ['everything', 'bool']];
  assert.deepEqual(warned('Permit', { Permit: longer }, { ...message, everything: true }), [
    `UNKNOWN_PAYLOAD: The type of the data differs from its standard, so ${permit2} may give it another meaning.`,
  ]);
  assert.deepEqual(warned('Permit', { Permit: permitFields }), []);
  const permitted = { token: usdc, amount: '1' };
  const transfer: Fields = [
    ['permitted', 'TokenPermissions'],
    ['spender', 'address'],
    ['nonce', 'uint256'],
    ['deadline', 'uint256'],
  ];
  const TokenPermissions: Fields = [
    ['token', 'address'],
    ['amount', 'uint256'],
  ];
  const body = { ...message, permitted };
  const plain = { PermitTransferFrom: transfer, TokenPermissions };
  assert.deepEqual(warned('PermitTransferFrom', plain, body), []);
  const order = {
    PermitWitnessTransferFrom: [...transfer, ['order', 'Order']],
    TokenPermissions,
    Order: [['least', 'uint256']],
  } as const satisfies Readonly<Record<string, Fields>>;
  assert.deepEqual(warned('PermitWitnessTransferFrom', order, { ...body, order: { least: 1 } }), [
    'UNKNOWN_PAYLOAD: The signature also agrees to the terms in order, which are not explained here.',
  ]);
});

test('rights in lending markets name the account that gets them, and are warned of', () => {
  const contract = '0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb';
  const market = { name: 'Market', chainId: 1, verifyingContract: contract };
  const end = 1_800_000_000;
  const until = 'The signature can be used until 2027-01-15T08:00:00Z.';
  const morpho = (isAuthorized: boolean, authorizer = signer) =>
    explainPayloads(
      asked(
        typed(
          'Authorization',
          {
            Authorization: [
              ['authorizer', 'address'],
              ['authorized', 'address'],
              ['isAuthorized', 'bool'],
              ['nonce', 'uint256'],
              ['deadline', 'uint256'],
            ],
          },
          { authorizer, authorized: spender, isAuthorized, nonce: 0, deadline: end },
          market,
        ),
        eip712,
      ),
    );
  const { summary, effects, warnings } = morpho(true);
  const text = `${signer} lets ${spender} manage all assets and debts in ${contract}`;
  assert.equal(summary, `${text} on Ethereum, by a signature alone (Morpho). ${until}`);
  assert.deepEqual(effects[0], {
    kind: 'PERMISSION_CHANGE',
    text: `${text}.`,
    from: signer,
    to: spender,
    contract,
  });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['NEW_AUTHORITY'],
  );
  assert.deepEqual(morpho(false).warnings, []);
  assert.match(morpho(false).summary, /no longer lets/);
  assert.deepEqual(
    morpho(true, spender).warnings.map(({ code }) => code),
    ['NEW_AUTHORITY', 'OWNER_IS_ANOTHER'],
  );
  const { summary: borrowed, warnings: ofAave } = explainPayloads(
    asked(
      typed(
        'DelegationWithSig',
        {
          DelegationWithSig: [
            ['delegatee', 'address'],
            ['value', 'uint256'],
            ['nonce', 'uint256'],
            ['deadline', 'uint256'],
          ],
        },
        { delegatee: spender, value: 5, nonce: 0, deadline: end },
        market,
      ),
      eip712,
    ),
  );
  assert.equal(
    borrowed,
    `${signer} lets ${spender} borrow, as debt of this account, from ${contract} on Ethereum, by a signature alone (Aave). ${until}`,
  );
  assert.deepEqual(
    ofAave.map(({ code }) => code),
    ['NEW_AUTHORITY'],
  );
});
