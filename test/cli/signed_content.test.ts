// The content before a vote if the service lies about the signing account.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedContent } from '../../src/cli/approvals/signed_content.ts';
import type { VerifiedActivity } from '../../src/client/verified_activity.ts';
import { hex } from '../../src/core/base/bytes.ts';
import { reportedDescriptions } from '../../src/core/transactions/descriptions/reported.ts';
import type { KnownAddresses } from '../../src/core/transactions/headline/headline.ts';
import { permitDescription, usdc } from '../support/descriptions.ts';
import { accountOf, readVectors, type TransactionVector } from '../support/transaction_vectors.ts';

const [vector] = readVectors<TransactionVector>('ethereum');
assert(vector !== undefined);
const { address, format: addressFormat, publicKey } = accountOf(vector);
const reported = { address, addressFormat, publicKey: hex(publicKey) };
const { unsignedTransaction } = vector;
const keyId = '01a205ac-48e3-74b0-9a8f-4777ece305a4';

test('the explanation is about the signed address', async () => {
  const lines = await linesOf(address, reported);
  assert(lines.some((line) => line.startsWith(`  ${address}`)));
  assert(!lines.some((line) => line.includes('only the service reports')));
});

test('the first line names amount, chain, payer and recipient', async () => {
  const dead = '0x000000000000000000000000000000000000dEaD';
  const intent = {
    from: address,
    caip2: 'eip155:11155111',
    calls: [{ to: dead, value: '500000000000000000' }],
  };
  const of = async (known: Partial<KnownAddresses>) => {
    const names = async () => ({ own: new Map(), book: new Map(), seen: { count: 0 }, ...known });
    const activity = activityOf('ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2', intent);
    const lines = await signedContent(activity, {
      accountOf: async () => reported,
      knownOf: names,
    });
    return lines[lines.indexOf('What will be signed:') + 1];
  };
  const own = new Map([[address.toLowerCase(), 'treasury / account 1']]);
  const begin = '  0.5 ETH · Chain: Sepolia (test network) · from';
  assert.equal(await of({}), `${begin} ${address} · to ${dead}`);
  assert.equal(
    await of({ own, paid: new Set() }),
    `${begin} treasury / account 1 · to ${dead} (never paid before)`,
  );
  assert.equal(
    await of({ own, paid: new Set(), seen: { count: 100, sinceMs: Date.UTC(2026, 0, 2) } }),
    `${begin} treasury / account 1 · to ${dead} (not among the last 100 payments, since 2026-01-02)`,
  );
  const book = new Map([[dead.toLowerCase(), 'payroll\u001b[2J']]);
  assert.equal(
    await of({ own, book }),
    `${begin} treasury / account 1 · to ${dead} (in your address book as payroll\\u{1b}[2J)`,
  );
});

test('a deposit, a swap by quote, a sponsored send and a permit open with the same line as on the page', async () => {
  const own = new Map([[address.toLowerCase(), 'treasury / account 1']]);
  const knownOf = async () => ({
    own,
    book: new Map(),
    paid: new Set<string>(),
    seen: { count: 0 },
  });
  const firstOf = async (type: string, intent: VerifiedActivity['intent'], market: object = {}) => {
    const activity = activityOf(`ACTIVITY_TYPE_${type}`, intent);
    const marketOf = async () => market;
    const sources = { accountOf: async () => reported, knownOf, marketOf };
    const lines = await signedContent(activity, sources);
    const start = lines.indexOf('What will be signed:') + 1;
    return { first: lines[start], fee: lines.find((line) => line.startsWith('  fee ')) };
  };
  const vault = { wrapperAddress: contract, caip19: `eip155:1/erc20:${usdc}`, name: 'Prime' };
  const deposit = { wrapperAddress: contract, signWith: address, assets: '25000000' };
  const { first, fee } = await firstOf(
    'EARN_DEPOSIT',
    { ...deposit, caip2: 'eip155:1' },
    { vaults: [vault] },
  );
  assert.equal(
    first,
    `  deposit of 25 USDC · Chain: Ethereum · from treasury / account 1 · into ${contract} (the vault Prime, as the service reports it)`,
  );
  assert.match(fee ?? '', /at most 0\.5 ETH, for 2 transactions together\./);
  const swap = {
    inputToken: `eip155:1/erc20:${usdc}`,
    outputToken: 'eip155:1/slip44:60',
    inputAmount: '25000000',
    minOutputAmount: '7000000000000000',
    quoteId: keyId,
  };
  assert.equal(
    (await firstOf('EXECUTE_SWAP_V3', swap, { quoteSigner: address })).first,
    '  swap of 25 USDC for at least 0.007 ETH · Chain: Ethereum · from treasury / account 1 · paid out to the same account',
  );
  const call = { to: contract, value: '500000000000000000' };
  const send = { from: address, caip2: 'eip155:1', sponsor: true, calls: [call, call] };
  const sponsored = await firstOf('ETH_SEND_TRANSACTION_V2', send);
  assert.equal(
    sponsored.first,
    `  1 ETH · Chain: Ethereum · from treasury / account 1 · to ${contract} (never paid before)`,
  );
  assert.match(sponsored.fee ?? '', /A sponsor pays the fees, so the account pays no fee\.$/);
  const permit = await firstOf('SIGN_RAW_PAYLOAD_V2', {
    signWith: address,
    encoding: 'PAYLOAD_ENCODING_EIP712',
    payload: permitOf(2n ** 256n - 1n),
  });
  assert.equal(
    permit.first,
    `  unlimited allowance of USDC · Chain: Ethereum · from treasury / account 1 · for ${contract} (never paid before)`,
  );
});

test('a freeze is a sentence with the reported name, and every signed member', async () => {
  const activity = activityOf('ACTIVITY_TYPE_CREATE_FREEZE', {
    type: 'FREEZE_TYPE_WALLET',
    resourceId: keyId,
  });
  const namesOf = async () => new Map([[keyId, 'treasury\u001b']]);
  const lines = await signedContent(activity, { accountOf: async () => reported, namesOf });
  assert.deepEqual(lines.slice(-4), [
    'What will change:',
    '  Freezes the wallet treasury\\u{1b}: stops its signatures, exports and sends until the root quorum lifts the freeze.',
    '  "type": "FREEZE_TYPE_WALLET",',
    `  "resourceId": "${keyId}"`,
  ]);
});

test('the address of a key that is named by its id comes only from the service', async () => {
  const lines = await linesOf(keyId, reported);
  assert(lines.includes(`  warning: only the service reports that this key has ${address}.`));
});

test('a public key of another address does not belong to the signed address', async () => {
  const other = readVectors<TransactionVector>('tron')[0];
  assert(other !== undefined);
  const lie = { ...reported, publicKey: hex(accountOf(other).publicKey) };
  const lines = await linesOf(address, lie);
  assert(lines.includes('  warning: this transaction cannot be read here.'));
});

const contract = '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B';

function payloadLinesOf(encoding: string, payload: object | string, hashFunction = '') {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const intent = { signWith: address, payload: text, encoding, hashFunction };
  return contentOf('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', intent, reported);
}

test('an authorization of EIP-7702 has the same words as a transaction with an authorization', async () => {
  const of = (members: object) =>
    payloadLinesOf('PAYLOAD_ENCODING_EIP7702_AUTHORIZATION', { address: contract, ...members });
  const begins = await of({ chainId: 1, nonce: '0x7' });
  assert.deepEqual(begins.slice(-4), [
    'What will be signed:',
    `  Lets the code at ${contract} act for ${address} on chain 1, if its nonce is 7 then.`,
    '  warning: Code that is set for an account can move everything that the account owns.',
    `  signing account  ${address}`,
  ]);
  const everywhere = await of({ chainId: 0, nonce: 0 });
  assert(everywhere.some((line) => line.includes('on every chain, if its nonce is 0 then.')));
  assert(everywhere.some((line) => line.startsWith('  warning: It can be used once on every')));
  const ends = await of({ address: `0x${'00'.repeat(20)}`, chainId: 1, nonce: 8 });
  assert(
    ends.includes(
      `  Takes away the code that acts for ${address} on chain 1, if its nonce is 8 then.`,
    ),
  );
  assert(!ends.some((line) => line.includes('warning')));
});

test('typed data is shown value by value, and members that no type declares are not shown', async () => {
  const hostile = '\u001b[2J\u202e';
  const lines = await payloadLinesOf('PAYLOAD_ENCODING_EIP712', {
    types: {
      Note: [
        { name: 'to', type: 'address' },
        { name: 'texts', type: 'string[]' },
      ],
    },
    primaryType: 'Note',
    domain: { name: `Example${hostile}` },
    message: { to: contract, texts: [`hello${hostile}`], more: 'not signed' },
  });
  const shown = '\\u{1b}[2J\\u{202e}';
  const [summary, hashes, ...others] = lines.slice(-9);
  assert.equal(summary, `  Typed data: Note for Example${shown}.`);
  assert.match(
    hashes ?? '',
    /^ {2}- Hashes that other devices show: signed 0x[0-9a-f]{64}, domain 0x/,
  );
  assert.deepEqual(others, [
    `  domain.name  Example${shown}`,
    `  message.to  ${contract.toLowerCase()}`,
    `  message.texts[0]  hello${shown}`,
    '  warning: The data names no contract, so other applications may accept the signature too.',
    '  warning: In the data: Characters turn the direction of the text (U+202E).',
    '  warning: In the data: Characters cannot be seen (U+001B).',
    `  signing account  ${address}`,
  ]);
});

test('a personal message is shown as lines of text, with its unusual characters', async () => {
  const hex191 = (text: string) =>
    hex(new TextEncoder().encode(`\u0019Ethereum Signed Message:\n${text.length}${text}`));
  const of = (text: string) =>
    payloadLinesOf('PAYLOAD_ENCODING_HEXADECIMAL', hex191(text), 'HASH_FUNCTION_KECCAK256');
  assert.deepEqual((await of('I agree to pay')).slice(-4), [
    'What will be signed:',
    `  ${address} signs a message of 14 characters (EIP-191).`,
    '  - The message: "I agree to pay"',
    `  signing account  ${address}`,
  ]);
  const lines = await of('first\nsecond\u0007');
  assert(lines.includes('  | first'));
  assert(lines.includes('  | second\\u{7}'));
  assert(lines.includes('  warning: Characters cannot be seen (U+0007).'));
});

test('a payload that is not an authorization is shown as signed, with a warning', async () => {
  const lines = await payloadLinesOf('PAYLOAD_ENCODING_EIP7702_AUTHORIZATION', '{}');
  assert(lines.some((line) => line.startsWith('  "payload": "')));
  assert.equal(lines.at(-1), '  warning: This payload cannot be read here.');
});

test('bytes without a standard, and a hash, have a warning', async () => {
  const keccak = 'HASH_FUNCTION_KECCAK256';
  const bytes = await payloadLinesOf('PAYLOAD_ENCODING_HEXADECIMAL', 'ab', keccak);
  assert(bytes.includes(`  ${address} signs 1 byte without a standard meaning.`));
  assert(bytes.some((line) => line.startsWith('  warning: The bytes may be anything')));
  const hash = await payloadLinesOf('PAYLOAD_ENCODING_HEXADECIMAL', 'ab', 'HASH_FUNCTION_NO_OP');
  assert(hash.some((line) => line.startsWith('  warning: The request has only a hash')));
});

test('a reported description adds labelled values, with a note on their origin', async () => {
  const text = JSON.stringify(permitDescription);
  const smartContractInterface = { type: 'SMART_CONTRACT_INTERFACE_TYPE_ERC7730' };
  const descriptionsOf = async () =>
    reportedDescriptions(
      [
        { ...smartContractInterface, smartContractInterface: '{' },
        { ...smartContractInterface, smartContractInterface: text },
      ],
      () => 'treasury',
    );
  const payload = permitOf(25_000_000n);
  const encoding = 'PAYLOAD_ENCODING_EIP712';
  const intent = { signWith: address, payload, encoding, hashFunction: 'HASH_FUNCTION_NO_OP' };
  const activity = activityOf('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', intent);
  const lines = await signedContent(activity, { accountOf: async () => reported, descriptionsOf });
  assert(lines.some((line) => line.startsWith('  - Let another account spend, says the stored')));
  assert(lines.includes('  - At most: 25 USDC'));
  assert(lines.includes(`  - Spender: treasury (${contract})`));
  assert.match(lines.at(-1) ?? '', /Labels of descriptions come from the service/);
});

function permitOf(value: bigint): string {
  const number = (name: string) => ({ name, type: 'uint256' });
  return JSON.stringify({
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        ...['value', 'nonce', 'deadline'].map(number),
      ],
    },
    primaryType: 'Permit',
    domain: { name: 'USD Coin', chainId: 1, verifyingContract: usdc },
    message: { owner: address, spender: contract, value: String(value), nonce: 1, deadline: 9 },
  });
}

test('an interface to store is read for its warnings, and those of a stored one are reported', async () => {
  const abi = [
    { type: 'function', name: 'many_msg_babbage', inputs: [{ name: 'a', type: 'bytes1' }] },
  ];
  const type = 'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE';
  const intent = {
    smartContractAddress: contract,
    smartContractInterface: JSON.stringify(abi),
    type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
    label: 'Vault\u202e',
  };
  const lines = await contentOf(type, intent, reported);
  assert(
    lines.includes(
      `  Stores the interface Vault\\u{202e}, whose names policies and approvals then use for calls of the contract ${contract}.`,
    ),
    lines.join('\n'),
  );
  assert.match(
    lines.at(-1) ?? '',
    /^ {2}warning: many_msg_babbage\(bytes1\) has the selector of transfer\(address,uint256\), /,
  );
  const activity = activityOf('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
    signWith: address,
    unsignedTransaction,
    type: 'TRANSACTION_TYPE_ETHEREUM',
  });
  const text = 'It calls it many_msg_babbage(bytes1).\u001b[2J';
  const warnings = [
    { code: 'NAME_OF_ANOTHER_CALL', text },
    { code: 'UNKNOWN_CONTRACT', text: 'Another.' },
    null,
  ];
  const of = async (explanation: unknown) => {
    const said = { ...activity.said, explanation } as VerifiedActivity['said'];
    const sources = { accountOf: async () => reported };
    return (await signedContent({ ...activity, said }, sources)).filter((line) =>
      line.includes('the service reports about a stored interface'),
    );
  };
  assert.deepEqual(await of({ warnings }), [
    '  warning: the service reports about a stored interface: It calls it many_msg_babbage(bytes1).\\u{1b}[2J',
  ]);
  for (const malformed of [undefined, null, {}, { warnings: 1 }]) {
    assert.deepEqual(await of(malformed), []);
  }
});

function linesOf(signWith: string, account: typeof reported): Promise<readonly string[]> {
  const intent = { signWith, unsignedTransaction, type: 'TRANSACTION_TYPE_ETHEREUM' };
  return contentOf('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', intent, account);
}

function contentOf(
  type: string,
  intent: VerifiedActivity['intent'],
  account: typeof reported,
): Promise<readonly string[]> {
  return signedContent(activityOf(type, intent), { accountOf: async () => account });
}

function activityOf(type: string, intent: VerifiedActivity['intent']): VerifiedActivity {
  const activity: Omit<VerifiedActivity, 'said'> = {
    id: keyId,
    fingerprint: `sha256:${'ab'.repeat(32)}`,
    message: '',
    type,
    organizationId: keyId,
    timestampMs: 0,
    intent,
    submitter: { userId: keyId, publicKey: '', scheme: '' },
  };
  const said = { votes: [] } as unknown as VerifiedActivity['said'];
  return { ...activity, said };
}
