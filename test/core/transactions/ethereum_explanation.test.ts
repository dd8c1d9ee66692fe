import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFunctionData, getAddress, parseAbi, toFunctionSelector } from 'viem';
import type { EthereumTransaction } from '../../../src/core/chains/ethereum/transaction.ts';
import { writeEthereum } from '../../../src/core/chains/ethereum/write.ts';
import type { InterfaceTexts } from '../../../src/core/transactions/described.ts';
import { ethereumKind } from '../../../src/core/transactions/ethereum/index.ts';
import { knownTokenContracts } from '../../../src/core/transactions/ethereum/known_tokens.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
} from '../../support/transaction_vectors.ts';

const vectors = readVectors<TransactionVector>('ethereum');
const [first] = vectors;
assert.ok(first !== undefined);
const account = accountOf(first);
const from = account.address;
const to = '0x3fbd991fBcee758776FF50Db984d7C124b62A94E';
const other = '0xDD92686B88FAF78c826eC71d23D63d3Db11777bA';
const bytes = (text: string) => Uint8Array.fromHex(text.replace(/^0x/, ''));
const word = (value: bigint | string) =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');

type Given = Partial<Omit<EthereumTransaction, 'bytes'>>;

const usual = {
  type: 'TYPE_2',
  chainId: 1n,
  nonce: 0n,
  maxPriorityFeePerGas: 1n,
  maxFeePerGas: 10n ** 9n,
  gas: 21_000n,
  to: bytes(to),
  value: 0n,
  data: new Uint8Array(),
  accessList: [],
  blobVersionedHashes: [],
  authorizationList: [],
} as const;

function read(given: Given): EthereumTransaction {
  return ethereumKind.format.read(writeEthereum({ ...usual, ...given }), account);
}

const explain = (given: Given, interfaces: InterfaceTexts = new Map()) =>
  ethereumKind.explain(read(given), account, interfaces);

/** Returns an interface of `to`. */
function stored(name: string, ...types: readonly string[]): InterfaceTexts {
  const inputs = types.map((type, i) => ({ name: `a${i}`, type }));
  const text = JSON.stringify([{ type: 'function', name, inputs }]);
  return new Map([[to, { digest: text, text }]]);
}

const transferCall = bytes(`a9059cbb${word(other)}${word(5n)}`);
const texts = (of: readonly { readonly text: string }[]) => of.map(({ text }) => text);

test('a transfer of ether names amount, recipient and chain', () => {
  assert.deepEqual(explain({ value: 15n * 10n ** 17n }), {
    summary: `${from} sends 1.5 ETH to ${to} on Ethereum.`,
    effects: [
      {
        kind: 'TRANSFER',
        text: `${from} sends 1.5 ETH to ${to}.`,
        from,
        to,
        amount: '1500000000000000000',
        asset: 'ETH',
      },
    ],
    fee: {
      maximum: '21000000000000',
      asset: 'ETH',
      text: 'Fees for gas are at most 0.000021 ETH.',
    },
    warnings: [],
  });
});

test('a chain with an unknown coin is shown with its id', () => {
  const { summary, effects, fee } = explain({ chainId: 999n, value: 7n });
  const seven = "7 of the smallest unit of the chain's coin";
  assert.equal(summary, `${from} sends ${seven} to ${to} on chain 999.`);
  assert.equal(effects[0]?.asset, 'coin of eip155:999');
  const most = "21000000000000 of the smallest unit of the chain's coin";
  assert.equal(fee?.text, `Fees for gas are at most ${most}; the chain may add fees of its own.`);
});

test('a transaction without a chain is valid on every chain, and warned of', () => {
  const { chainId: _, maxFeePerGas: __, maxPriorityFeePerGas: ___, ...rest } = usual;
  const legacy = writeEthereum({ ...rest, type: 'LEGACY', gasPrice: 1n, value: 1n });
  const transaction = ethereumKind.format.read(legacy, account);
  const { summary, effects, warnings } = ethereumKind.explain(transaction, account, new Map());
  assert.match(summary, / on any chain\.$/);
  assert.equal(effects[0]?.asset, 'coin of any chain');
  assert.deepEqual(warnings, [
    {
      code: 'NO_CHAIN_ID',
      text: 'The transaction names no chain, so it is valid on each chain that accepts such transactions.',
    },
  ]);
  assert.equal(ethereumKind.chain(transaction, account), 'eip155');
  assert.equal(ethereumKind.chain(read({}), account), 'eip155:1');
});

test('a creation', () => {
  const { summary, effects } = explain({ to: new Uint8Array(), data: bytes('6000'), value: 1n });
  assert.equal(
    summary,
    `${from} creates a contract and sends it 0.000000000000000001 ETH on Ethereum.`,
  );
  assert.deepEqual(texts(effects), [
    `${from} sends 0.000000000000000001 ETH to the new contract.`,
    'Creates a contract from 2 bytes of init code.',
  ]);
});

test('a call without an interface shows only its bytes', () => {
  const { summary, effects, warnings } = explain({ data: bytes('deadbeef00') });
  assert.equal(summary, `${from} sends call data to ${to} on Ethereum.`);
  assert.deepEqual(texts(effects), [
    `Sends 5 bytes of call data to ${to}, which begin with the selector 0xdeadbeef.`,
  ]);
  assert.deepEqual(warnings, [
    { code: 'UNKNOWN_CONTRACT', text: `No interface of ${to} is stored.` },
  ]);
  const paid = explain({ data: bytes('deadbeef'), value: 10n ** 18n });
  assert.equal(paid.summary, `${from} sends 1 ETH and call data to ${to} on Ethereum.`);
});

test('data that is too short for a function is shown as bytes', () => {
  const { effects, warnings } = explain({ data: bytes('00') });
  assert.deepEqual(texts(effects), [`Sends 1 byte of data to ${to}, too few to name a function.`]);
  assert.deepEqual(warnings, []);
});

test('a selector without trailing zeros is explained as old contracts read it', () => {
  // The selector of sweep290() is 0x81674500.
  const { summary, effects, warnings } = explain({ data: bytes('816745') }, stored('sweep290'));
  assert.equal(summary, `${from} sends 0 ETH to ${to} on Ethereum.`);
  assert.deepEqual(texts(effects), [
    `Sends 3 bytes of data to ${to}, which contracts of old compilers read as a call of sweep290().`,
  ]);
  assert.deepEqual(warnings, [
    { code: 'UNREADABLE_CALL_DATA', text: `The stored interface of ${to} does not fit the call.` },
  ]);
});

test('a call with a stored interface is explained with its arguments', () => {
  const { summary, effects, warnings } = explain(
    { data: transferCall, value: 1n },
    stored('transfer', 'address', 'uint256'),
  );
  assert.equal(
    summary,
    `${from} calls transfer of ${to} and sends it 0.000000000000000001 ETH on Ethereum.`,
  );
  assert.deepEqual(effects[1], {
    kind: 'CALL',
    text: `Calls transfer(address,uint256) of ${to}, as the stored interface describes it.`,
    contract: to,
    functionName: 'transfer',
    arguments: [
      { name: 'a0', value: other },
      { name: 'a1', value: '5' },
    ],
  });
  assert.deepEqual(warnings, []);
});

test('the explanation of a call with many arguments counts the omitted ones', () => {
  const argumentsOf = (count: number) => {
    const types = Array.from({ length: count }, () => 'bool');
    const selector = toFunctionSelector(`f(${types.join()})`).slice(2);
    const data = bytes(`${selector}${word(1n).repeat(count)}`);
    return explain({ data }, stored('f', ...types)).effects[0]?.arguments?.slice(31);
  };
  assert.deepEqual(argumentsOf(32), [{ name: 'a31', value: 'true' }]);
  const last = { name: '…', value: '2 more' };
  assert.deepEqual(argumentsOf(34), [{ name: 'a31', value: 'true' }, last]);
});

test('a call whose further recipients are not shown is warned of', () => {
  const paid = (count: number) => {
    const list = Array.from({ length: count }, () => word(other)).join('');
    const selector = toFunctionSelector('disperse(address[])').slice(2);
    const data = bytes(`${selector}${word(32n)}${word(BigInt(count))}${list}`);
    return explain({ data }, stored('disperse', 'address[]')).warnings;
  };
  assert.deepEqual(paid(8), []);
  assert.deepEqual(paid(9), [
    {
      code: 'UNREADABLE_CALL_DATA',
      text: 'Only a part of the arguments of disperse is shown here.',
    },
  ]);
});

test('a call that does not fit the stored interface is named as such', () => {
  const { warnings } = explain({ data: bytes('deadbeef') }, stored('transfer', 'address'));
  assert.deepEqual(warnings, [
    { code: 'UNREADABLE_CALL_DATA', text: `The stored interface of ${to} does not fit the call.` },
  ]);
});

test('calls of token standards are explained on the condition that the contract follows them', () => {
  const [, transfer] = explain({ data: transferCall }).effects;
  assert.deepEqual(transfer, {
    kind: 'TOKEN_TRANSFER',
    text: `If ${to} follows ERC-20, the call moves 5 of its smallest unit from ${from} to ${other}.`,
    from,
    to: other,
    amount: '5',
    asset: to,
  });
  const moved = explain({ data: bytes(`23b872dd${word(other)}${word(to)}${word(5n)}`) });
  assert.match(String(moved.effects[1]?.text), new RegExp(` from ${other} to ${to}\\.$`));
  const approval = explain({ data: bytes(`095ea7b3${word(other)}${word(5n)}`) });
  assert.deepEqual(approval.effects[1], {
    kind: 'APPROVAL',
    text: `If ${to} follows ERC-20 or ERC-721, the call lets ${other} take up to 5 of its smallest unit, or its token number 5, from the caller.`,
    to: other,
    amount: '5',
    asset: to,
  });
  const all = (isAllowed: bigint) =>
    explain({ data: bytes(`a22cb465${word(other)}${word(isAllowed)}`) });
  const follows = `If ${to} follows ERC-721 or ERC-1155, the call`;
  assert.equal(all(1n).effects[1]?.text, `${follows} lets ${other} move all tokens of the caller.`);
  assert.equal(
    all(0n).effects[1]?.text,
    `${follows} no longer lets ${other} move all tokens of the caller.`,
  );
  const codes = [all(1n), all(0n), approval].map(({ warnings }) =>
    warnings.map(({ code }) => code),
  );
  assert.deepEqual(codes, [
    ['UNLIMITED_APPROVAL', 'UNKNOWN_CONTRACT'],
    ['UNKNOWN_CONTRACT'],
    ['UNKNOWN_CONTRACT'],
  ]);
});

test('the summary of a standard call names the moved tokens, without an interface', () => {
  const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  const known = (data: string, chainId = 1n) =>
    explain({ to: bytes(usdc), data: bytes(data), chainId });
  const transfer = known(`a9059cbb${word(other)}${word(25_000_000n)}`);
  assert.equal(transfer.summary, `${from} sends 25 USDC to ${other} on Ethereum.`);
  assert.equal(transfer.effects[1]?.text, `The call moves 25 USDC from ${from} to ${other}.`);
  assert.deepEqual(transfer.warnings, []);
  const all = known(`095ea7b3${word(other)}${'f'.repeat(64)}`);
  assert.equal(all.summary, `${from} lets ${other} take any amount of USDC on Ethereum.`);
  assert.deepEqual(
    all.warnings.map(({ code }) => code),
    ['UNLIMITED_APPROVAL'],
  );
  // The same address on another chain is another contract.
  const elsewhere = known(`a9059cbb${word(other)}${word(5n)}`, 10n);
  assert.equal(
    elsewhere.summary,
    `${from} sends 5 of the smallest unit of the token ${usdc} to ${other} on OP Mainnet, if ${usdc} follows the standard of this call.`,
  );
  const summaryOf = (data: string) => explain({ data: bytes(data) }).summary;
  const end = ` on Ethereum, if ${to} follows the standard of this call.`;
  assert.equal(
    summaryOf(`42842e0e${word(from)}${word(other)}${word(7n)}`),
    `${from} moves token 7 of the collection ${to} from ${from} to ${other}${end}`,
  );
  assert.equal(
    summaryOf(`f242432a${word(from)}${word(other)}${word(7n)}${word(3n)}${word(160n)}${word(0n)}`),
    `${from} moves 3 of token 7 of the collection ${to} from ${from} to ${other}${end}`,
  );
  const batch = [160n, 256n, 352n, 2n, 7n, 8n, 2n, 1n, 4n, 0n].map(word).join('');
  assert.equal(
    summaryOf(`2eb2c2d6${word(from)}${word(other)}${batch}`),
    `${from} moves token 7, 4 of token 8 of the collection ${to} from ${from} to ${other}${end}`,
  );
  assert.match(
    summaryOf(
      `d505accf${word(from)}${word(other)}${word(5n)}${word(9n)}${word(27n)}${word(1n)}${word(1n)}`,
    ),
    new RegExp(`lets ${other} take up to 5 of the smallest unit of the token ${to} of ${from}`),
  );
  assert.match(
    summaryOf(`87517c45${word(usdc)}${word(other)}${word(2n ** 160n - 1n)}${word(1_800_000_000n)}`),
    new RegExp(`lets ${other} take any amount of USDC`),
  );
});

test('contracts of known tokens are written with their checksum', () => {
  assert(knownTokenContracts.length > 5);
  for (const contract of knownTokenContracts) assert.equal(getAddress(contract), contract);
});

test('an unlimited approval is warned of', () => {
  const approve = (amount: bigint) =>
    explain({ data: bytes(`095ea7b3${word(other)}${word(amount)}`) }).warnings[0];
  const text = `If ${to} follows the standard of this call, ${other} can take all tokens of the caller.`;
  for (const amount of [2n ** 256n - 1n, 2n ** 128n, 2n ** 96n - 1n]) {
    assert.deepEqual(approve(amount), { code: 'UNLIMITED_APPROVAL', text });
  }
  assert.equal(approve(2n ** 128n - 1n)?.code, 'UNKNOWN_CONTRACT');
});

test('an allowance beyond the supply of a known token is unlimited', () => {
  const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  const codes = (amount: bigint) =>
    explain({
      to: bytes(usdc),
      data: bytes(`095ea7b3${word(other)}${word(amount)}`),
    }).warnings.map(({ code }) => code);
  assert.deepEqual(codes(10n ** 18n), ['UNLIMITED_APPROVAL']);
  assert.deepEqual(codes(10n ** 18n - 1n), []);
});

test('calls that give power over a contract or its code are explained and warned of', () => {
  const cases: readonly (readonly [data: string, act: string])[] = [
    [`f2fde38b${word(other)}`, `makes ${other} the owner of ${to}`],
    [`13af4035${word(other)}`, `makes ${other} the owner of ${to}`],
    [`8f283970${word(other)}`, `makes ${other} the administrator of ${to}`],
    [`3659cfe6${word(other)}`, `makes ${other} the code of ${to}`],
    [`4f1ef286${word(other)}${word(64n)}${word(0n)}`, `makes ${other} the code of ${to}`],
    [`99a88ec4${word(from)}${word(other)}`, `makes ${other} the code of a proxy of ${to}`],
    [`2f2ff15d${word(0n)}${word(other)}`, `gives ${other} a role in ${to}`],
    [`c04a8a10${word(other)}${word(5n)}`, `lets ${other} borrow from ${to} what the caller`],
  ];
  for (const [data, act] of cases) {
    const { summary, effects, warnings } = explain({ data: bytes(data) });
    assert(summary.startsWith(`${from} ${act}`), summary);
    assert.deepEqual([effects[1]?.kind, effects[1]?.to], ['PERMISSION_CHANGE', other]);
    assert.deepEqual(warnings[0], {
      code: 'NEW_AUTHORITY',
      text: `If ${to} follows the standard of this call, ${other} gets power over it.`,
    });
  }
});

test('operators, permits of DAI and payments into vaults name the account that they serve', () => {
  const cases: readonly (readonly [data: string, deed: string, code: string])[] = [
    [`959b8c3f${word(other)}`, `lets ${other} move everything in ${to}`, 'UNLIMITED_APPROVAL'],
    [`fad8b32a${word(other)}`, `no longer lets ${other} move`, 'UNKNOWN_CONTRACT'],
    [`558a7297${word(other)}${word(1n)}`, `lets ${other} move everything`, 'UNLIMITED_APPROVAL'],
    [`110496e5${word(other)}${word(1n)}`, `lets ${other} move everything`, 'UNLIMITED_APPROVAL'],
    [`eecea000${word(other)}${word(1n)}`, `lets ${other} move everything`, 'UNLIMITED_APPROVAL'],
    [
      `8fcbaf0c${word(from)}${word(other)}${word(0n)}${word(0n)}${word(1n)}${word(27n)}${word(1n)}${word(1n)}`,
      `lets ${other} take any amount of the token ${to} of ${from}`,
      'UNLIMITED_APPROVAL',
    ],
    [
      `9bd9bbc6${word(other)}${word(5n)}${word(96n)}${word(0n)}`,
      `sends 5 of the smallest unit of the token ${to} to ${other}`,
      'UNKNOWN_CONTRACT',
    ],
    [
      `b753a98c${word(other)}${word(5n)}`,
      `sends 5 of the smallest unit of the token ${to} to ${other}`,
      'UNKNOWN_CONTRACT',
    ],
    [
      `4000aea0${word(other)}${word(5n)}${word(96n)}${word(0n)}`,
      `sends 5 of the smallest unit of the token ${to} to ${other}`,
      'UNKNOWN_CONTRACT',
    ],
    [
      `095bcdb6${word(other)}${word(7n)}${word(5n)}`,
      `moves 5 of token 7 of the collection ${to} from ${from} to ${other}`,
      'UNKNOWN_CONTRACT',
    ],
    [
      `6e553f65${word(5n)}${word(other)}`,
      `pays 5 of the smallest unit of assets of ${from} into the vault ${to} for ${other}`,
      'UNKNOWN_CONTRACT',
    ],
    [
      `ba087652${word(5n)}${word(other)}${word(from)}`,
      `takes 5 of the smallest unit of shares of ${from} out of the vault ${to} and pays ${other}`,
      'UNKNOWN_CONTRACT',
    ],
  ];
  for (const [data, deed, code] of cases) {
    const { summary, warnings } = explain({ data: bytes(data) });
    assert(summary.startsWith(`${from} ${deed}`), summary);
    assert.equal(warnings[0]?.code, code, summary);
  }
});

test('a call with the selector of a standard and other arguments is warned of by its name', () => {
  const dirty = bytes(`095ea7b3${'01'.padEnd(24, '0')}${other.slice(2)}${'f'.repeat(64)}`);
  for (const interfaces of [new Map(), stored('approve', 'address', 'uint256')]) {
    assert.deepEqual(explain({ data: dirty }, interfaces).warnings, [
      {
        code: 'UNREADABLE_CALL_DATA',
        text: 'The data begins like approve(address,uint256), and the rest is no standard form: some contracts execute it.',
      },
    ]);
  }
});

test('a wrapper that some contracts read differently is warned of, although an interface decodes it', () => {
  const cases = [
    ['execute', ['bytes32', 'bytes'], [`0x02${'00'.repeat(31)}`, '0x']],
    ['executeBatch', ['address[]', 'bytes[]'], [[other], []]],
    [
      'safeBatchTransferFrom',
      ['address', 'address', 'uint256[]', 'uint256[]', 'bytes'],
      [from, other, [1n], [], '0x'],
    ],
  ] as const;
  for (const [name, types, args] of cases) {
    const signature = `${name}(${types.join(',')})`;
    const abi = parseAbi([`function ${signature}`] as readonly string[]);
    const data = bytes(encodeFunctionData({ abi, args } as never));
    const text = `The data begins like ${signature}, and the rest is no standard form: some contracts execute it.`;
    assert.deepEqual(explain({ data }, stored(name, ...types)).warnings, [
      { code: 'UNREADABLE_CALL_DATA', text },
    ]);
    const counted = ethereumKind.transfers(read({ data }), account);
    assert(counted.every(({ isAtLeast }) => isAtLeast === true) && counted.length === 2);
  }
});

test('a transaction of an account to itself with data is warned of, since limits count it as a right', () => {
  const given = { to: bytes(from), data: bytes('12345678') };
  assert.equal(ethereumKind.transfers(read(given), account).length, 2);
  const text = `By a call to itself, ${from} can change who controls it.`;
  assert.deepEqual(explain(given).warnings[0], { code: 'NEW_AUTHORITY', text });
  assert(
    !explain({ to: bytes(from), value: 1n }).warnings.some(({ code }) => code === 'NEW_AUTHORITY'),
  );
});

test('a new contract is warned of', () => {
  const { warnings } = explain({ to: new Uint8Array(), data: bytes('6000') });
  assert.deepEqual(warnings, [
    { code: 'UNREADABLE_CALL_DATA', text: 'The effects of the new contract are unknown.' },
  ]);
});

test('dirty or missing bytes are not explained as a standard, but limits count them', () => {
  const dirty = bytes(`a9059cbb${'01'.padEnd(24, '0')}${other.slice(2)}${word(5n)}`);
  const short = transferCall.subarray(0, 36);
  assert.deepEqual(texts(explain({ data: dirty }).effects).length, 1);
  assert.deepEqual(texts(explain({ data: short }).effects).length, 1);
  const transfers = (data: Uint8Array) => ethereumKind.transfers(read({ data }), account);
  assert.deepEqual(transfers(dirty), [{ token: to, from, to: other, amount: 5n }]);
  assert.deepEqual(transfers(short), [{ token: to, from, to: other, amount: 0n }]);
});

test('limits see the value, and transfers of tokens', () => {
  const both = ethereumKind.transfers(read({ value: 3n, data: transferCall }), account);
  assert.deepEqual(both, [
    { token: '', from, to, amount: 3n },
    { token: to, from, to: other, amount: 5n },
  ]);
  const data = bytes(`23b872dd${word(other)}${word(to)}${word(7n)}`);
  assert.deepEqual(ethereumKind.transfers(read({ data }), account), [
    { token: to, from: other, to, amount: 7n },
  ]);
  assert.deepEqual(ethereumKind.transfers(read({ data: bytes('095ea7b3') }), account), []);
  assert.deepEqual(
    ethereumKind.transfers(read({ data: bytes(`095ea7b3${word(other)}${word(9n)}`) }), account),
    [{ token: to, from, to: other, amount: 9n }],
  );
});

test('an interface hides no standard call behind another name with the same selector', () => {
  // Its selector is that of transfer(address,uint256).
  const interfaces = stored('many_msg_babbage', 'bytes1');
  const zeros = bytes(`a9059cbb${word(0n)}${word(0n)}`);
  for (const data of [transferCall, zeros]) {
    const plain = explain({ data });
    const { summary, effects, warnings } = explain({ data }, interfaces);
    assert.deepEqual([summary, effects], [plain.summary, plain.effects]);
    assert.deepEqual(warnings, [
      {
        code: 'NAME_OF_ANOTHER_CALL',
        text: `The stored interface of ${to} names the called function many_msg_babbage(bytes1), but its selector is also that of transfer(address,uint256).`,
      },
    ]);
  }
});

test('a renamed call that is no standard form keeps the warnings about both', () => {
  // An interface with other types decodes data that the standard does not.
  const dirty = bytes(`a9059cbb${'01'.padEnd(24, '0')}${other.slice(2)}${word(5n)}`);
  const { effects, warnings } = explain({ data: dirty }, stored('many_msg_babbage', 'bytes1'));
  assert.deepEqual(
    effects.map(({ functionName }) => functionName),
    [undefined],
  );
  assert.deepEqual(warnings, [
    {
      code: 'NAME_OF_ANOTHER_CALL',
      text: `The stored interface of ${to} names the called function many_msg_babbage(bytes1), but its selector is also that of transfer(address,uint256).`,
    },
    {
      code: 'UNREADABLE_CALL_DATA',
      text: 'The data begins like transfer(address,uint256), and the rest is no standard form: some contracts execute it.',
    },
  ]);
});

test('an interface hides no call of a wrapper behind another name with the same selector', () => {
  // Its selector is that of execTransaction, and it decodes the first word of this call.
  const interfaces = stored('claim_86c058f', 'bytes4');
  const zero = '0x0000000000000000000000000000000000000000';
  const call = encodeFunctionData({
    abi: parseAbi([
      'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
    ]),
    args: [zero, 7n, '0x', 0, 0n, 0n, 0n, zero, zero, '0x'],
  });
  const { effects, warnings, summary } = explain({ data: bytes(call) }, interfaces);
  const plain = explain({ data: bytes(call) });
  assert.deepEqual([summary, effects], [plain.summary, plain.effects]);
  assert(effects.some(({ kind, amount }) => kind === 'TRANSFER' && amount === '7'));
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['NAME_OF_ANOTHER_CALL'],
  );
  const cut = explain({ data: bytes(call).subarray(0, 100) }, interfaces);
  assert.deepEqual(
    cut.warnings.map(({ code }) => code),
    ['NAME_OF_ANOTHER_CALL', 'UNREADABLE_CALL_DATA'],
  );
});

test('a function that the interface cannot decode is named with the reason', () => {
  const inputs = [{ name: 'a', type: 'fixed168x10' }];
  const text = JSON.stringify([
    { type: 'function', name: 'price', inputs },
    { type: 'function', name: 'other', inputs: [] },
  ]);
  const data = bytes(toFunctionSelector('price(fixed168x10)'));
  const { warnings } = explain({ data }, new Map([[to, { digest: text, text }]]));
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['NOT_DECODED'],
  );
  assert.match(warnings[0]?.text ?? '', /does not decode price\(fixed168x10\): .*unknown type/);
});

test('arguments shown in part are warned of, and an ellipsis within an argument is not', () => {
  const warned = (value: string, type = 'string') => {
    const signature = `function f(${type} a0)`;
    const data = encodeFunctionData({ abi: parseAbi([signature]), args: [value] } as never);
    const { warnings } = explain({ data: bytes(data) }, stored('f', type));
    return warnings.map(({ text }) => text);
  };
  const partly = ['Only a part of the arguments of f is shown here.'];
  assert.deepEqual(warned('to be continued …'), []);
  assert.deepEqual(warned('… 3 more'), []);
  assert.deepEqual(warned('x'.repeat(66)), []);
  assert.deepEqual(warned('x'.repeat(67)), partly);
  assert.deepEqual(warned(`0x${'ff'.repeat(32)}`, 'bytes'), []);
  assert.deepEqual(warned(`0x${'ff'.repeat(33)}`, 'bytes'), partly);
});

test('blobs', () => {
  const hash = Uint8Array.of(1, ...new Uint8Array(31));
  const { effects, fee } = explain({
    type: 'TYPE_3',
    maxFeePerBlobGas: 2n,
    blobVersionedHashes: [hash, hash],
  });
  assert.deepEqual(texts(effects), ['Carries 2 blobs, of which the hash is signed.']);
  assert.equal(fee?.maximum, String(21_000n * 10n ** 9n + 2n * 131_072n * 2n));
  assert.match(String(fee?.text), /^Fees for gas and blobs are at most /);
});

test('authorizations', () => {
  const vector = vectors.find(
    ({ name }) => name === 'type 4, two authorizations, one for every chain',
  );
  assert.ok(vector !== undefined);
  const signed = ethereumKind.format.read(bytes(vector.unsignedTransaction), account);
  const { summary, effects, warnings } = ethereumKind.explain(signed, account, new Map());
  assert.match(summary, / on Ethereum, and delivers 2 authorizations to set code\.$/);
  assert.deepEqual(texts(effects.slice(-2)), [
    'Lets the code at 0xC260DA22AF59090de9b310384606AB5da996Bec0 act for 0x97D3bB249F216718bc39955e49f3a0d274faeC90 on every chain, if its nonce is 5 then.',
    'Lets the code at 0xf796C8b39716EAd367018E202f35bf808899C75c act for 0x7434773E7538443601606199c1E1bb39690f5b67 on chain 1, if its nonce is 300 then.',
  ]);
  assert.deepEqual(warnings[0], {
    code: 'CODE_DELEGATION',
    text: 'Code that is set for an account can move everything that the account owns.',
  });
  const elsewhere = explain({
    type: 'TYPE_4',
    chainId: 10n,
    authorizationList: signed.authorizationList.slice(1),
  });
  assert.match(
    String(elsewhere.effects[0]?.text),
    /if its nonce is 300 then; it is for another chain and has no effect on this one\.$/,
  );
});

test('an authorization that removes the code, and one without a signer, are explained', () => {
  const vector = vectors.at(-1);
  assert.ok(vector?.name === 'type 4, authorization that takes the delegate away');
  const signed = ethereumKind.format.read(bytes(vector.unsignedTransaction), account);
  const { effects, warnings } = ethereumKind.explain(signed, account, new Map());
  assert.deepEqual(texts(effects), [
    'Takes away the code that acts for 0x7B925a1D4365f5bab3e60f174A992ca9b4061838 on chain 11155111, if its nonce is 1 then.',
  ]);
  assert.deepEqual(warnings, []);
  const [authorization] = signed.authorizationList;
  assert.ok(authorization !== undefined);
  for (const change of [{ s: 2n ** 255n }, { r: 0n }]) {
    const changed = explain({
      type: 'TYPE_4',
      authorizationList: [{ ...authorization, address: bytes(other), ...change }],
    });
    assert.deepEqual(texts(changed.effects), [
      `An authorization of ${other} has no valid signature.`,
    ]);
  }
});

test('a high fee is warned of', () => {
  const codes = (maxFeePerGas: bigint) =>
    explain({ gas: 100_000n, maxFeePerGas }).warnings.map(({ text }) => text);
  assert.deepEqual(codes(10n ** 12n - 1n), []);
  assert.deepEqual(codes(10n ** 12n), ['The fees may be as high as 0.1 ETH.']);
});

test('arguments are shortened, and hide nothing', () => {
  const bytesWord = (text: string) => text.padEnd(64, '0');
  const textArgument = (text: string) => {
    const utf8 = new TextEncoder().encode(text);
    return [word(BigInt(utf8.length)), utf8.toHex().padEnd(Math.ceil(utf8.length / 32) * 64, '0')];
  };
  const shown = (type: string, ...words: readonly string[]) => {
    const interfaces = stored('f', type);
    const selector = toFunctionSelector(`f(${type})`).slice(2);
    const { effects } = explain({ data: bytes(`${selector}${words.join('')}`) }, interfaces);
    return effects[0]?.arguments?.[0]?.value;
  };
  assert.equal(shown('bool', word(1n)), 'true');
  assert.equal(shown('bytes4', bytesWord('01020304')), '0x01020304');
  assert.equal(shown('string', word(32n), ...textArgument('a "b"\\')), '"a \\"b\\"\\\\"');
  assert.equal(shown('string', word(32n), ...textArgument('\u202eabc\n')), '"\\u{202e}abc\\u{a}"');
  assert.equal(
    shown('string', word(32n), ...textArgument('x'.repeat(100))),
    `"${'x'.repeat(66)}…"`,
  );
  assert.equal(
    shown('bytes', word(32n), word(40n), 'ff'.repeat(40).padEnd(128, '0')),
    `0x${'ff'.repeat(32)}… (40 bytes)`,
  );
  assert.equal(
    shown('uint8[10]', ...Array.from({ length: 10 }, (_, i) => word(BigInt(i)))),
    '[0, 1, 2, 3, 4, 5, 6, 7, … 2 more]',
  );
  assert.equal(
    shown('uint8[1][1][1][2]', word(1n), word(2n)),
    '[[[[… 1 items]]], [[[… 1 items]]]]',
  );
});
