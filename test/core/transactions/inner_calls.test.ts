// Calls inside of calls, encoded by viem: a Safe, MultiSend, Multicall3, and accounts that execute calls.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  hashDomain,
  hashStruct,
  hashTypedData,
  maxUint256,
  parseAbi,
} from 'viem';
import { writeEthereum } from '../../../src/core/chains/ethereum/write.ts';
import { ethereumKind } from '../../../src/core/transactions/ethereum/index.ts';
import { readMultiSend } from '../../../src/core/transactions/ethereum/inner_calls.ts';
import { innerCallLimits } from '../../../src/core/transactions/ethereum/inner_effects.ts';
import { furtherEffects } from '../../../src/core/transactions/headline/headline.ts';
import { explainPayloads } from '../../../src/core/transactions/payload_explanation.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
} from '../../support/transaction_vectors.ts';

const [vector] = readVectors<TransactionVector>('ethereum');
assert(vector !== undefined);
const account = accountOf(vector);
const signer = account.address as Hex;
const safe = '0x3fbd991fBcee758776FF50Db984d7C124b62A94E';
const other = '0xDD92686B88FAF78c826eC71d23D63d3Db11777bA';
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const multiSend = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2';
const zero = '0x0000000000000000000000000000000000000000';

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function multiSend(bytes transactions)',
  'function aggregate((address target, bytes callData)[] calls)',
  'function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)',
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)',
  'function multicall(bytes[] data)',
  'function multicall(uint256 deadline, bytes[] data)',
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch(address[] targets, uint256[] values, bytes[] datas)',
  'function executeBatch(address[] targets, bytes[] datas)',
  'function executeBatch((address target, uint256 value, bytes callData)[] calls)',
  'function execute((address target, uint256 value, bytes callData)[] calls)',
  'function execute(bytes32 mode, bytes data)',
  'function execute(address target, bytes data)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
  'function blockAndAggregate((address target, bytes callData)[] calls)',
  'function tryBlockAndAggregate(bool requireSuccess, (address target, bytes callData)[] calls)',
  'function multicall(bytes32 previous, bytes[] data)',
  'function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 limits, uint256 gas, bytes32 fees, bytes paymaster, bytes signature)[] operations, address receiver)',
  'function schedule(address target, uint256 value, bytes data, bytes32 before, bytes32 salt, uint256 delay)',
  'function scheduleBatch(address[] targets, uint256[] values, bytes[] data, bytes32 before, bytes32 salt, uint256 delay)',
  'function submitTransaction(address to, uint256 value, bytes data)',
]);
const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [other, 25_000_000n] });
const exec = (to: Hex, value: bigint, data: Hex, operation = 0) =>
  encodeFunctionData({
    abi,
    functionName: 'execTransaction',
    args: [to, value, data, operation, 0n, 0n, 0n, zero, zero, '0x'],
  });
const packed = (operation: number, to: Hex, value: bigint, data: Hex): string =>
  encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [operation, to, value, BigInt(data.length / 2 - 1), data],
  ).slice(2);
const multiSendOf = (...calls: readonly string[]) =>
  encodeFunctionData({ abi, functionName: 'multiSend', args: [`0x${calls.join('')}`] });

function explain(data: Hex, to: Hex = safe, value = 0n) {
  const bytes = writeEthereum({
    type: 'TYPE_2',
    chainId: 1n,
    nonce: 0n,
    maxPriorityFeePerGas: 1n,
    maxFeePerGas: 10n ** 9n,
    gas: 100_000n,
    to: Uint8Array.fromHex(to.slice(2)),
    value,
    data: Uint8Array.fromHex(data.slice(2)),
    accessList: [],
    blobVersionedHashes: [],
    authorizationList: [],
  });
  const transaction = ethereumKind.format.read(bytes, account);
  const { summary, effects, warnings } = ethereumKind.explain(transaction, account, new Map());
  // The first effect is the outer call.
  return { summary, inner: effects.slice(1), warnings: warnings.map(({ code }) => code) };
}

test('a Safe that sends ether and tokens is explained by its inner calls', () => {
  const paid = explain(exec(other, 5n * 10n ** 17n, '0x'));
  assert.equal(paid.summary, `${signer} has ${safe} make a call on Ethereum.`);
  assert.deepEqual(paid.inner, [
    {
      kind: 'TRANSFER',
      text: `If ${safe} is a Safe, it sends 0.5 ETH to ${other}.`,
      from: safe,
      to: other,
      amount: '500000000000000000',
      asset: 'ETH',
    },
  ]);
  const [token] = explain(exec(usdc, 0n, transfer)).inner;
  assert.equal(
    token?.text,
    `If ${safe} is a Safe, it calls ${usdc}: the call moves 25 USDC from ${safe} to ${other}.`,
  );
  assert.deepEqual([token?.from, token?.to, token?.amount], [safe, other, '25000000']);
});

test('a Safe with several calls by MultiSend is explained call by call', () => {
  const approve = encodeFunctionData({ abi, functionName: 'approve', args: [other, maxUint256] });
  const calls = multiSendOf(packed(0, usdc, 0n, approve), packed(0, other, 7n, '0x'));
  const { inner, warnings } = explain(exec(multiSend, 0n, calls, 1));
  assert.deepEqual(
    inner.map(({ kind }) => kind),
    ['APPROVAL', 'TRANSFER'],
  );
  assert(inner.every(({ text }) => text.startsWith(`If ${safe} is a Safe, it `)));
  assert(warnings.includes('UNLIMITED_APPROVAL'));
  assert(!warnings.includes('CODE_DELEGATION'));
});

test('a Safe that executes foreign code is warned of, also by the function of MultiSend', () => {
  for (const data of ['0x12345678', multiSendOf(packed(0, usdc, 0n, transfer))] as const) {
    const { inner, warnings } = explain(exec(other, 0n, data, 1));
    assert.deepEqual(inner, [
      {
        kind: 'DELEGATION',
        text: `If ${safe} is a Safe, it runs the code of ${other} as its own.`,
        from: safe,
        to: other,
      },
    ]);
    assert(warnings.includes('CODE_DELEGATION'));
  }
});

const word = `0x${'00'.repeat(32)}` as const;
const ofMode = (kind: string, data: Hex) =>
  encodeFunctionData({
    abi,
    functionName: 'execute',
    args: [`0x${kind.padEnd(64, '0')}`, data],
  });
const singleCall = encodePacked(['address', 'uint256', 'bytes'], [usdc, 0n, transfer]);
const batchType = {
  type: 'tuple[]',
  components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
} as const;
const batch = encodeAbiParameters([batchType], [[[usdc, 0n, transfer]]]);
const batchAndData = encodeAbiParameters(
  [batchType, { type: 'bytes' }],
  [[[usdc, 0n, transfer]], '0x1234'],
);

const aggregated = [{ target: usdc, callData: transfer, allowFailure: true, value: 0n }] as const;
for (const [title, data, sender] of [
  ['aggregate', encodeFunctionData({ abi, functionName: 'aggregate', args: [aggregated] }), safe],
  [
    'tryAggregate',
    encodeFunctionData({ abi, functionName: 'tryAggregate', args: [true, aggregated] }),
    safe,
  ],
  ['aggregate3', encodeFunctionData({ abi, functionName: 'aggregate3', args: [aggregated] }), safe],
  [
    'aggregate3Value',
    encodeFunctionData({ abi, functionName: 'aggregate3Value', args: [aggregated] }),
    safe,
  ],
  [
    'execute',
    encodeFunctionData({ abi, functionName: 'execute', args: [usdc, 0n, transfer] }),
    safe,
  ],
  [
    'executeBatch',
    encodeFunctionData({ abi, functionName: 'executeBatch', args: [[usdc], [0n], [transfer]] }),
    safe,
  ],
  ['multicall', encodeFunctionData({ abi, functionName: 'multicall', args: [[transfer]] }), signer],
  [
    'multicall after a block',
    encodeFunctionData({ abi, functionName: 'multicall', args: [word, [transfer]] }),
    signer,
  ],
  [
    'blockAndAggregate',
    encodeFunctionData({ abi, functionName: 'blockAndAggregate', args: [aggregated] }),
    safe,
  ],
  [
    'tryBlockAndAggregate',
    encodeFunctionData({ abi, functionName: 'tryBlockAndAggregate', args: [true, aggregated] }),
    safe,
  ],
  [
    'executeBatch of a list',
    encodeFunctionData({ abi, functionName: 'executeBatch', args: [aggregated] }),
    safe,
  ],
  [
    'executeBatch without values',
    encodeFunctionData({ abi, functionName: 'executeBatch', args: [[usdc], [transfer]] }),
    safe,
  ],
  [
    'execute of a list',
    encodeFunctionData({ abi, functionName: 'execute', args: [aggregated] }),
    safe,
  ],
  ['execute of one call in a mode', ofMode('00', singleCall), safe],
  ['execute of a batch in a mode', ofMode('01', batch), safe],
  ['execute of a batch with data of the account', ofMode('01', batchAndData), safe],
  [
    'execTransactionFromModule',
    encodeFunctionData({
      abi,
      functionName: 'execTransactionFromModule',
      args: [usdc, 0n, transfer, 0],
    }),
    safe,
  ],
  [
    'schedule',
    encodeFunctionData({
      abi,
      functionName: 'schedule',
      args: [usdc, 0n, transfer, word, word, 1n],
    }),
    safe,
  ],
  [
    'scheduleBatch',
    encodeFunctionData({
      abi,
      functionName: 'scheduleBatch',
      args: [[usdc], [0n], [transfer], word, word, 1n],
    }),
    safe,
  ],
  [
    'submitTransaction',
    encodeFunctionData({ abi, functionName: 'submitTransaction', args: [usdc, 0n, transfer] }),
    safe,
  ],
  [
    'multicall until a time',
    encodeFunctionData({ abi, functionName: 'multicall', args: [1n, [transfer]] }),
    signer,
  ],
] as const) {
  test(`the inner call of ${title} is shown`, () => {
    const [effect, ...others] = explain(data, safe).inner;
    assert.deepEqual([effect?.kind, effect?.from, effect?.to], ['TOKEN_TRANSFER', sender, other]);
    assert.equal(others.length, 0);
  });
}

test('nested inner calls are shown up to a bound of depth and number', () => {
  const nest = (data: Hex, levels: number): Hex =>
    levels === 0 ? data : nest(exec(safe, 0n, data), levels - 1);
  const deepest = (levels: number) => explain(nest(exec(usdc, 0n, transfer), levels)).inner.at(-1);
  assert.equal(deepest(innerCallLimits.depth - 1)?.kind, 'TOKEN_TRANSFER');
  assert.equal(deepest(innerCallLimits.depth)?.kind, 'CALL');
  const many = Array.from({ length: innerCallLimits.calls + 3 }, () => packed(0, other, 1n, '0x'));
  const { inner, warnings } = explain(exec(multiSend, 0n, multiSendOf(...many), 1));
  // MultiSend is a call as well.
  assert.equal(inner.length, innerCallLimits.calls - 1);
  assert(warnings.includes('UNREADABLE_CALL_DATA'));
});

test('packed calls that do not end with a call are not read', () => {
  const whole = Uint8Array.fromHex(packed(0, other, 1n, '0x1234') + packed(1, usdc, 0n, '0x'));
  assert.equal(readMultiSend(whole)?.length, 2);
  const first = 85 + 2;
  for (let length = 1; length < whole.length; length += 1) {
    const calls = readMultiSend(whole.subarray(0, length));
    assert.equal(calls?.length, length === first ? 1 : undefined, `${length} bytes`);
  }
  assert.equal(readMultiSend(Uint8Array.fromHex(packed(2, other, 1n, '0x'))), undefined);
  const { inner } = explain(multiSendOf('00'));
  assert.deepEqual(inner, []);
});

test('a refund of gas that a Safe pays is shown with its receiver, token and price', () => {
  const refunded = (gasPrice: bigint, token: Hex, receiver: Hex) =>
    explain(
      encodeFunctionData({
        abi,
        functionName: 'execTransaction',
        args: [other, 0n, '0x', 0, 0n, 1_000n, gasPrice, token, receiver, '0x'],
      }),
    );
  const drained = refunded(10n ** 9n, usdc, other);
  assert.deepEqual(drained.inner.at(-1), {
    kind: 'CALL',
    text: `If ${safe} is a Safe, it refunds gas to ${other}: at least 1000000 USDC, and 1000 USDC for each unit of gas used.`,
    from: safe,
    to: other,
  });
  assert.equal(furtherEffects(drained.inner), 2);
  assert(drained.warnings.includes('HIGH_FEE'));
  assert.equal(
    refunded(10n ** 9n, zero, zero).inner.at(-1)?.text,
    `If ${safe} is a Safe, it refunds gas to the account that executes the transaction: at most 0.000001 ETH, and 0.000000001 ETH for each unit of gas used.`,
  );
  assert.equal(refunded(0n, usdc, other).inner.length, 1);
});

test('a call of a Safe to itself, which may add an owner or a module, is warned of', () => {
  const enableModule = `0x610b5925${'0'.repeat(24)}${other.slice(2)}` as const;
  assert(explain(exec(safe, 0n, enableModule)).warnings.includes('NEW_AUTHORITY'));
  const bundled = multiSendOf(packed(0, safe, 0n, enableModule));
  assert(explain(exec(multiSend, 0n, bundled, 1)).warnings.includes('NEW_AUTHORITY'));
  // MultiSend of Safe 1.5.0 makes calls without an address to the Safe.
  const unnamed = multiSendOf(packed(0, zero, 0n, enableModule));
  assert(explain(exec(multiSend, 0n, unnamed, 1)).warnings.includes('NEW_AUTHORITY'));
  // Owners cancel a transaction by an empty one with its nonce.
  assert(!explain(exec(safe, 0n, '0x')).warnings.includes('NEW_AUTHORITY'));
  assert(!explain(exec(other, 0n, enableModule)).warnings.includes('NEW_AUTHORITY'));
});

const safeTypes = {
  SafeTx: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'operation', type: 'uint8' },
    { name: 'safeTxGas', type: 'uint256' },
    { name: 'baseGas', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gasToken', type: 'address' },
    { name: 'refundReceiver', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const;

test('typed data of a Safe shows its call, and the hashes that viem computes', () => {
  const domain = { chainId: 1, verifyingContract: safe } as const;
  const message = {
    to: usdc,
    value: '0',
    data: transfer,
    operation: 0,
    safeTxGas: '0',
    baseGas: '0',
    gasPrice: '2000000',
    gasToken: usdc,
    refundReceiver: other,
    nonce: '12',
  };
  const payload = JSON.stringify({ types: safeTypes, primaryType: 'SafeTx', domain, message });
  const { summary, effects, warnings } = explainPayloads({
    signWith: signer,
    payloads: [payload],
    encoding: 'PAYLOAD_ENCODING_EIP712',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  });
  assert.equal(
    summary,
    `${signer} approves the transaction 12 of the Safe ${safe} on Ethereum, by a signature alone.`,
  );
  assert.equal(
    effects[0]?.text,
    `The Safe calls ${usdc}: the call moves 25 USDC from ${safe} to ${other}.`,
  );
  assert.equal(
    effects[1]?.text,
    `The Safe refunds gas to ${other}: at least 0 USDC, and 2 USDC for each unit of gas used.`,
  );
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['HIGH_FEE'],
  );
  const typed = { types: safeTypes, primaryType: 'SafeTx', domain, message } as never;
  const domainTypes = {
    EIP712Domain: [
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
  };
  const hashes = [
    hashTypedData(typed),
    hashDomain({ domain, types: domainTypes } as never),
    hashStruct({ data: message, primaryType: 'SafeTx', types: safeTypes } as never),
  ];
  for (const hash of hashes) assert(effects.at(-1)?.text.includes(hash), hash);
});

const operationTypes = {
  PackedUserOperation: [
    { name: 'sender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'initCode', type: 'bytes' },
    { name: 'callData', type: 'bytes' },
    { name: 'accountGasLimits', type: 'bytes32' },
    { name: 'preVerificationGas', type: 'uint256' },
    { name: 'gasFees', type: 'bytes32' },
    { name: 'paymasterAndData', type: 'bytes' },
  ],
} as const;

const packedWord = (high: bigint, low: bigint): string =>
  `0x${[high, low].map((part) => part.toString(16).padStart(32, '0')).join('')}`;

test('typed data of a user operation shows the calls of the account, its payer and its fee', () => {
  const entryPoint = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108';
  const of = (message: Readonly<Record<string, string>>) =>
    explainPayloads({
      signWith: signer,
      payloads: [
        JSON.stringify({
          types: operationTypes,
          primaryType: 'PackedUserOperation',
          domain: { name: 'ERC4337', version: '1', chainId: 1, verifyingContract: entryPoint },
          message: {
            sender: safe,
            nonce: '5',
            initCode: '0x',
            callData: encodeFunctionData({
              abi,
              functionName: 'execute',
              args: [other, 5n * 10n ** 17n, '0x'],
            }),
            accountGasLimits: packedWord(100_000n, 200_000n),
            preVerificationGas: '50000',
            gasFees: packedWord(1n, 10n ** 9n),
            paymasterAndData: '0x',
            ...message,
          },
        }),
      ],
      encoding: 'PAYLOAD_ENCODING_EIP712',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    });
  const { summary, effects, warnings } = of({});
  assert.equal(
    summary,
    `${signer} approves the user operation 5 of ${safe} on Ethereum, by a signature alone.`,
  );
  assert.deepEqual(
    [effects[0]?.kind, effects[0]?.from, effects[0]?.to, effects[0]?.amount],
    ['TRANSFER', safe, other, '500000000000000000'],
  );
  assert.deepEqual(warnings, []);
  const codes = (message: Readonly<Record<string, string>>) =>
    of(message).warnings.map(({ code }) => code);
  assert.deepEqual(codes({ callData: '0x12345678' }), ['UNREADABLE_CALL_DATA']);
  assert.deepEqual(codes({ paymasterAndData: other }), ['FEE_PAYER_IS_ANOTHER']);
  const dear = of({ gasFees: packedWord(1n, 10n ** 12n) }).warnings;
  assert.deepEqual(dear, [{ code: 'HIGH_FEE', text: 'The fee may be as high as 0.35 ETH.' }]);
  assert.equal(of({ initCode: `${other}12` }).effects[0]?.kind, 'CONTRACT_CREATION');
  const setUp = 'bytes of data that set up the account. Their effect is unknown.';
  assert.deepEqual(of({ initCode: `${other}12` }).warnings, [
    {
      code: 'UNREADABLE_CALL_DATA',
      text: `The factory ${other} is first called with 1 ${setUp}`,
    },
  ]);
  // The marker of EIP-7702 in place of a factory, with and without a call of the account.
  const marker = `0x7702${'0'.repeat(36)}`;
  assert.deepEqual(of({ initCode: marker }).warnings, []);
  assert.deepEqual(of({ initCode: `${marker}abcd` }).warnings, [
    { code: 'UNREADABLE_CALL_DATA', text: `${safe} is first called with 2 ${setUp}` },
  ]);
});

test('an inner call without a known meaning is warned of', () => {
  const warned = explain(exec(other, 0n, '0x12345678')).warnings;
  assert(warned.includes('UNREADABLE_CALL_DATA'));
  assert(!explain(exec(other, 1n, '0x')).warnings.includes('UNREADABLE_CALL_DATA'));
});

test('a call of an entry point shows the calls that it makes the account execute', () => {
  const inner = encodeFunctionData({ abi, functionName: 'execute', args: [usdc, 0n, transfer] });
  const operation = {
    sender: other,
    nonce: 0n,
    initCode: '0x',
    callData: inner,
    limits: word,
    gas: 0n,
    fees: word,
    paymaster: '0x',
    signature: '0x',
  } as const;
  const data = encodeFunctionData({ abi, functionName: 'handleOps', args: [[operation], signer] });
  const [effect] = explain(data).inner;
  assert.deepEqual([effect?.kind, effect?.from, effect?.to], ['TOKEN_TRANSFER', other, other]);
});

test('an account that runs foreign code by a mode, or through a proxy, is warned of', () => {
  const foreign = encodePacked(['address', 'bytes'], [other, '0x12345678']);
  const proxied = encodeFunctionData({
    abi,
    functionName: 'execute',
    args: [other, '0x12345678'],
  });
  for (const data of [ofMode('ff', foreign), proxied]) {
    assert.equal(explain(data).inner[0]?.kind, 'DELEGATION');
    assert(explain(data).warnings.includes('CODE_DELEGATION'));
  }
  // No address in a batch means the account itself.
  const own = encodeAbiParameters([batchType], [[[zero, 0n, '0x12345678']]]);
  assert(explain(ofMode('01', own)).warnings.includes('NEW_AUTHORITY'));
  // An unknown mode is a call without a known meaning.
  assert.deepEqual(explain(ofMode('02', batch)).inner, []);
  assert.deepEqual(explain(ofMode('02', batch)).warnings, ['UNREADABLE_CALL_DATA']);
  // An account may read the data of this mode as batches of batches.
  assert.deepEqual(explain(ofMode('01000000000078210002', batch)).inner, []);
});

const stationTypes = {
  Execution: [
    { name: 'nonce', type: 'uint128' },
    { name: 'deadline', type: 'uint32' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
  BatchExecution: [
    { name: 'nonce', type: 'uint128' },
    { name: 'deadline', type: 'uint32' },
    { name: 'calls', type: 'Call[]' },
  ],
  Call: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
} as const;

test('typed data for the delegate of a gas station shows the calls of the account', () => {
  const of = (
    primaryType: 'Execution' | 'BatchExecution' | 'SessionExecution',
    message: object,
    types: object = stationTypes,
  ) =>
    explainPayloads({
      signWith: signer,
      payloads: [
        JSON.stringify({
          types,
          primaryType,
          domain: { name: 'TKGasDelegate', version: '1.1', chainId: 1, verifyingContract: signer },
          message: { nonce: '3', deadline: 1_800_000_000, ...message },
        }),
      ],
      encoding: 'PAYLOAD_ENCODING_EIP712',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    });
  const pays = { to: other, value: '7', data: '0x' };
  const one = of('Execution', pays);
  const until = 'by a signature alone, until 2027-01-15T08:00:00Z.';
  assert.equal(one.summary, `${signer} has ${signer} make a call on Ethereum, ${until}`);
  assert.deepEqual([one.effects[0]?.kind, one.effects[0]?.to], ['TRANSFER', other]);
  assert.deepEqual(one.warnings, []);
  const approve = encodeFunctionData({ abi, functionName: 'approve', args: [other, maxUint256] });
  const several = of('BatchExecution', { calls: [pays, { to: usdc, value: '0', data: approve }] });
  assert.equal(several.summary, `${signer} has ${signer} make 2 calls on Ethereum, ${until}`);
  assert.deepEqual(
    several.effects.map(({ kind }) => kind),
    ['TRANSFER', 'APPROVAL', 'MESSAGE'],
  );
  assert.deepEqual(
    several.warnings.map(({ code }) => code),
    ['UNLIMITED_APPROVAL'],
  );
  // A session lets another account make any calls.
  const session = { SessionExecution: [{ name: 'sender', type: 'address' }] };
  const { warnings } = of('SessionExecution', { sender: other }, session);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['UNKNOWN_PAYLOAD'],
  );
});
