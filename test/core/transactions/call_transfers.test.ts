// The transfers that limits over time count in calls of contracts, encoded by viem.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TronWeb } from 'tronweb';
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  maxUint256,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import { eip55 } from '../../../src/core/address/ethereum.ts';
import { hex } from '../../../src/core/base/bytes.ts';
import { readTypedData } from '../../../src/core/payload/eip712.ts';
import { transfersOfCalls } from '../../../src/core/transactions/calls/call_transfers.ts';
import { walkLimits } from '../../../src/core/transactions/calls/walk_calls.ts';
import type { VisibleTransfer } from '../../../src/core/transactions/described.ts';
import { movesOfPayload } from '../../../src/core/transactions/ethereum/typed_data_transfers.ts';

const me = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';
const safe = '0x3fbd991fBcee758776FF50Db984d7C124b62A94E';
const other: Address = '0xDD92686B88FAF78c826eC71d23D63d3Db11777bA';
const usdc: Address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
const multiSend = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2';
const zero = '0x0000000000000000000000000000000000000000';

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool isAllowed)',
  'function setOperator(address operator, bool isAllowed)',
  'function approve(address spender, uint256 id, uint256 amount)',
  'function transfer(address to, uint256 id, uint256 amount)',
  'function allow(address manager, bool isAllowed)',
  'function transferOwnership(address owner)',
  'function addOwnerWithThreshold(address owner, uint256 threshold)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  'function deposit(uint256 assets, address receiver)',
  'function withdraw(uint256 assets, address receiver, address owner)',
  'function redeem(uint256 shares, address receiver, address owner)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function multiSend(bytes transactions)',
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)',
  'function multicall(bytes[] data)',
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch(address[] targets, uint256[] values, bytes[] datas)',
  'function execute(bytes32 mode, bytes data)',
  'function execute(address target, bytes data)',
  'function schedule(address target, uint256 value, bytes data, bytes32 before, bytes32 salt, uint256 delay)',
]);
const bytes = (text: string) => Uint8Array.fromHex(text.slice(2));
const addressOf = (account: Uint8Array) => eip55(hex(account));

const counted = (data: Hex, to: Address = safe, value = 0n): readonly VisibleTransfer[] =>
  transfersOfCalls([{ to: bytes(to), data: bytes(data), value }], me, { addressOf });

const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [other, 25n] });
const exec = (to: Address, value: bigint, data: Hex, operation = 0, gasPrice = 0n, token = usdc) =>
  encodeFunctionData({
    abi,
    functionName: 'execTransaction',
    args: [to, value, data, operation, 0n, 0n, gasPrice, token as Address, zero, '0x'],
  });
const packed = (to: Address, value: bigint, data: Hex): string =>
  encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [0, to, value, BigInt(data.length / 2 - 1), data],
  ).slice(2);

const hidden = { amount: 0n, isAtLeast: true };
const everything = (from: string) =>
  ['', undefined].map((token) => ({ token, from, to: '', ...hidden }));
const paid = (from: string, amount = 25n) => ({ token: usdc, from, to: other, amount });

test('transfers of a Safe, a batch, a timelock and a bundle of MultiSend count', () => {
  assert.deepEqual(counted(exec(usdc, 0n, transfer)), [paid(safe)]);
  assert.deepEqual(counted(exec(other, 5n, '0x')), [
    { token: '', from: safe, to: other, amount: 5n },
  ]);
  const bundle = encodeFunctionData({
    abi,
    functionName: 'multiSend',
    args: [`0x${packed(usdc, 0n, transfer)}${packed(other, 7n, '0x')}`],
  });
  const both = [paid(safe), { token: '', from: safe, to: other, amount: 7n }];
  assert.deepEqual(counted(exec(multiSend, 0n, bundle, 1)), both);
  const batch = encodeFunctionData({
    abi,
    functionName: 'executeBatch',
    args: [
      [usdc, other],
      [0n, 7n],
      [transfer, '0x'],
    ],
  });
  assert.deepEqual(counted(batch), both);
  const later = encodeFunctionData({
    abi,
    functionName: 'schedule',
    args: [usdc, 0n, transfer, `0x${'00'.repeat(32)}`, `0x${'00'.repeat(32)}`, 1n],
  });
  assert.deepEqual(counted(later), [paid(safe)]);
  // A call to itself sends the tokens of the caller.
  const own = encodeFunctionData({ abi, functionName: 'multicall', args: [[transfer, transfer]] });
  assert.deepEqual(counted(own, usdc), [paid(me), paid(me)]);
});

test('coins that a contract passes on count once, and what it keeps counts as its own', () => {
  const of = (...values: readonly bigint[]) =>
    encodeFunctionData({
      abi,
      functionName: 'aggregate3Value',
      args: [
        values.map((value) => ({
          target: other,
          allowFailure: false,
          value,
          callData: '0x' as const,
        })),
      ],
    });
  const to = { token: '', from: multicall3, to: other } as const;
  assert.deepEqual(counted(of(3n, 4n), multicall3, 7n), [
    { ...to, amount: 3n },
    { ...to, amount: 4n },
  ]);
  assert.deepEqual(counted(of(3n), multicall3, 7n), [
    { token: '', from: me, to: multicall3, amount: 4n },
    { ...to, amount: 3n },
  ]);
  // An account that pays more than it gets.
  assert.deepEqual(counted(of(9n), multicall3, 7n), [{ ...to, amount: 9n }]);
});

test('the counted sum is never below the value of the call', () => {
  const addresses = fc.constantFrom<Address>(safe, other, multicall3, me);
  const { call } = fc.letrec<{ call: { to: Address; value: bigint; data: Hex } }>((tie) => ({
    call: fc.oneof(
      { maxDepth: 4 },
      fc.record({ to: addresses, value: fc.bigInt(0n, 9n), data: fc.constant<Hex>('0x') }),
      fc
        .tuple(addresses, fc.bigInt(0n, 9n), fc.array(tie('call'), { maxLength: 3 }))
        .map(([to, value, inner]) => ({
          to,
          value,
          data: encodeFunctionData({
            abi,
            functionName: 'aggregate3Value',
            args: [
              inner.map((each) => ({
                target: each.to,
                allowFailure: false,
                value: each.value,
                callData: each.data,
              })),
            ],
          }),
        })),
    ),
  }));
  fc.assert(
    fc.property(call, ({ to, value, data }) => {
      const transfers = counted(data, to, value);
      const sum = transfers
        .filter(({ from, to: receiver }) => from !== receiver)
        .reduce((total, { amount }) => total + amount, 0n);
      const isUnknown = transfers.some(({ isAtLeast }) => isAtLeast === true);
      assert(isUnknown || to === me || sum >= value);
    }),
  );
});

test('rights to spend count by their amount, and without an amount the sum of the token is unknown', () => {
  const approve = (amount: bigint) =>
    encodeFunctionData({ abi, functionName: 'approve', args: [other, amount] });
  assert.deepEqual(counted(approve(9n), usdc), [paid(me, 9n)]);
  assert.deepEqual(counted(exec(usdc, 0n, approve(9n))), [paid(safe, 9n)]);
  assert.deepEqual(counted(approve(maxUint256), usdc), [{ ...paid(me), ...hidden }]);
  const word: Hex = `0x${'11'.repeat(32)}`;
  const permit = encodeFunctionData({
    abi,
    functionName: 'permit',
    args: [safe, other, 9n, 1n, 27, word, word],
  });
  assert.deepEqual(counted(permit, usdc), [paid(safe, 9n)]);
  const permit2 = encodeFunctionData({
    abi,
    functionName: 'approve',
    args: [usdc, other, 9n, 1],
  });
  assert.deepEqual(counted(permit2, safe), [paid(me, 9n)]);
  const operator = (isAllowed: boolean) =>
    encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [other, isAllowed] });
  assert.deepEqual(counted(operator(true), usdc), [{ ...paid(me), ...hidden }]);
  assert.deepEqual(counted(operator(false), usdc), []);
});

test('rights over an account, foreign code and unreadable calls make every sum unknown', () => {
  const of = (data: Hex, to: Address = safe) => counted(data, to);
  const owner = encodeFunctionData({ abi, functionName: 'transferOwnership', args: [other] });
  assert.deepEqual(of(owner), everything(safe));
  const manager = encodeFunctionData({ abi, functionName: 'allow', args: [other, true] });
  assert.deepEqual(of(manager), everything(me));
  const added = encodeFunctionData({
    abi,
    functionName: 'addOwnerWithThreshold',
    args: [other, 1n],
  });
  assert.deepEqual(of(exec(safe, 0n, added)), everything(safe));
  // MultiSend of Safe 1.5.0 makes calls without an address to the Safe.
  const unnamed = encodeFunctionData({
    abi,
    functionName: 'multiSend',
    args: [`0x${packed(zero, 0n, added)}`],
  });
  assert.deepEqual(of(exec(multiSend, 0n, unnamed, 1)), everything(safe));
  // The code of an account at its own address (EIP-7702).
  assert.deepEqual(of(added, me), everything(me));
  // The same call of another contract has no known effect.
  assert.deepEqual(of(added), []);
  assert.deepEqual(of(exec(other, 0n, added, 1)), everything(safe));
  const proxied = encodeFunctionData({ abi, functionName: 'execute', args: [other, '0x12'] });
  assert.deepEqual(of(proxied), everything(safe));
  const mode = (first: string): Hex => `0x${first.padEnd(64, '0')}`;
  const unknownMode = encodeFunctionData({
    abi,
    functionName: 'execute',
    args: [mode('02'), '0x'],
  });
  assert.deepEqual(of(unknownMode), everything(safe));
  const cut: Hex = `0x${exec(usdc, 0n, transfer).slice(2, 200)}`;
  assert.deepEqual(of(cut), everything(safe));
  const dirty: Hex =
    `${encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [other, true] }).slice(0, -1)}2` as Hex;
  assert.deepEqual(of(dirty, usdc), everything(usdc));
});

test('batches of batches, and batches that accounts read differently, make every sum unknown', () => {
  const batch = encodeAbiParameters(parseAbiParameters('(address, uint256, bytes)[]'), [
    [[usdc, 0n, transfer]],
  ]);
  const ofMode = (mode: string, given: Hex) =>
    counted(
      encodeFunctionData({
        abi,
        functionName: 'execute',
        args: [`0x${mode.padEnd(64, '0')}`, given],
      }),
    );
  assert.deepEqual(ofMode('01', batch), [paid(safe)]);
  assert.deepEqual(ofMode('01000000000078210001', batch), [paid(safe)]);
  const batches = encodeAbiParameters(parseAbiParameters('bytes[]'), [[batch]]);
  assert.deepEqual(ofMode('01000000000078210002', batches), everything(safe));
  // The same bytes may be calls and a list of other batches.
  assert.deepEqual(ofMode('01000000000078210002', batch), everything(safe));
  // Some accounts ignore the first bytes of an address.
  const dirty = batch.replace(`00${usdc.slice(2).toLowerCase()}`, `01${usdc.slice(2)}`) as Hex;
  assert.notEqual(dirty, batch);
  assert.deepEqual(ofMode('01', dirty), everything(safe));
});

test('refunds of a Safe are unknown, and items and shares count as units of their contract', () => {
  assert.deepEqual(counted(exec(other, 0n, '0x', 0, 1n)), [
    { token: usdc, from: safe, to: '', ...hidden },
  ]);
  assert.deepEqual(counted(exec(other, 0n, '0x', 0, 1n, zero)), [
    { token: '', from: safe, to: '', ...hidden },
  ]);
  const items = encodeFunctionData({
    abi,
    functionName: 'safeTransferFrom',
    args: [me, other, 3n, 25n, '0x'],
  });
  assert.deepEqual(counted(items, usdc), [paid(me)]);
  const out = (name: 'withdraw' | 'redeem') =>
    counted(encodeFunctionData({ abi, functionName: name, args: [25n, other, me] }), usdc);
  assert.deepEqual(out('redeem'), [paid(me)]);
  assert.deepEqual(out('withdraw'), [{ ...paid(me), ...hidden }]);
  const into = (receiver: Address) =>
    counted(encodeFunctionData({ abi, functionName: 'deposit', args: [25n, receiver] }), usdc);
  assert.deepEqual(into(other), [{ token: undefined, from: me, to: other, ...hidden }]);
  // A deposit for the payer itself moves nothing to another account.
  assert.deepEqual(
    into(me).filter(({ from, to }) => from !== to),
    [],
  );
});

test('more calls, deeper calls and more bytes than are read make every sum unknown', () => {
  const many = (count: number, callData: Hex = transfer) =>
    encodeFunctionData({
      abi,
      functionName: 'aggregate3',
      args: [
        Array.from({ length: count }, () => ({
          target: usdc,
          allowFailure: true,
          callData,
        })),
      ],
    });
  const most = walkLimits.calls - 1;
  assert.deepEqual(counted(many(most)), Array(most).fill(paid(safe)));
  assert.deepEqual(counted(many(most + 2)).slice(most), everything(safe));
  let nested = transfer;
  for (let depth = 0; depth < 4; depth += 1) {
    const target = depth === 0 ? usdc : safe;
    nested = encodeFunctionData({ abi, functionName: 'execute', args: [target, 0n, nested] });
    const isRead = depth < 3;
    assert.deepEqual(counted(nested), isRead ? [paid(safe)] : everything(safe));
  }
  const wide: Hex = `0x12345678${'00'.repeat(300_000)}`;
  assert.deepEqual(counted(many(3, wide)), everything(safe));
});

test('reading takes bounded time for calls that share their data', () => {
  // Each inner call is a wrapper whose own calls point to the same bytes.
  const inner = encodeFunctionData({
    abi,
    functionName: 'execute',
    args: [usdc, 0n, `0x12345678${'00'.repeat(8_000)}`],
  });
  const data = bytes(
    encodeFunctionData({ abi, functionName: 'multicall', args: [Array(100).fill(inner)] }),
  );
  const call = { to: bytes(safe), data, value: 0n };
  transfersOfCalls([call], me, { addressOf });
  const before = process.cpuUsage().user;
  const transfers = transfersOfCalls([call], me, { addressOf });
  const milliseconds = (process.cpuUsage().user - before) / 1_000;
  assert.deepEqual(transfers, everything(safe));
  assert(milliseconds < 500, `${milliseconds} ms`);
});

test('counting never throws on any bytes', () => {
  const selectors = abi.map((item) =>
    encodeFunctionData({ abi: [item], args: blank(item) } as never),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...selectors),
      fc.uint8Array({ maxLength: 400 }),
      fc.nat(400),
      (valid, random, at) => {
        const data = bytes(valid);
        data.set(random.subarray(0, Math.max(0, data.length - at)), Math.min(at, data.length));
        transfersOfCalls([{ to: bytes(safe), data, value: 1n }], me, { addressOf });
        const tail = new Uint8Array([...data.subarray(0, 4), ...random]);
        transfersOfCalls([{ to: bytes(safe), data: tail, value: 1n }], me, { addressOf });
      },
    ),
  );
});

/** Returns arguments of zeros. */
function blank({ inputs }: { readonly inputs: readonly { readonly type: string }[] }): unknown[] {
  return inputs.map(({ type }) => {
    if (type.endsWith('[]')) return [];
    if (type === 'address') return zero;
    if (type === 'bool') return false;
    if (type === 'bytes') return '0x';
    if (type === 'bytes32') return `0x${'00'.repeat(32)}`;
    return /^uint(8|48)$/.test(type) ? 0 : 0n;
  });
}

const domain = { name: 'Token', chainId: 1, verifyingContract: usdc };
const typed = (types: object, primaryType: string, message: object, of: object = domain) =>
  movesOfPayload(
    {
      typedData: readTypedData(
        JSON.stringify({ types, primaryType, domain: of, message }),
        'payload',
      ),
    },
    me,
  );
const member = (text: string) => {
  const [type = '', name = ''] = text.split(' ');
  return { name, type };
};

test('a permit and an authorization count by the signature alone', () => {
  const Permit = [
    'address owner',
    'address spender',
    'uint256 value',
    'uint256 nonce',
    'uint256 deadline',
  ];
  const message = { owner: me, spender: other, value: 25, nonce: 0, deadline: 9 };
  const moves = typed({ Permit: Permit.map(member) }, 'Permit', message);
  assert.equal(moves?.chain, 'eip155:1');
  assert.deepEqual(moves?.transfers(), [paid(me)]);
  const { chainId: _, ...anywhere } = domain;
  assert.equal(typed({ Permit: Permit.map(member) }, 'Permit', message, anywhere)?.chain, 'eip155');
  const of = (address: string, chainId: bigint) =>
    movesOfPayload({ authorization: { address: bytes(address), chainId, nonce: 0n } }, me);
  assert.deepEqual(of(safe, 1n)?.transfers(), everything(me));
  assert.deepEqual([of(safe, 1n)?.chain, of(safe, 0n)?.chain], ['eip155:1', 'eip155']);
  assert.deepEqual(of(zero, 1n)?.transfers(), []);
  assert.equal(movesOfPayload({}, me), undefined);
});

test('typed data of a Safe, a gas station and a user operation count the calls that it permits', () => {
  const SafeTx = [
    'address to',
    'uint256 value',
    'bytes data',
    'uint8 operation',
    'uint256 safeTxGas',
    'uint256 baseGas',
    'uint256 gasPrice',
    'address gasToken',
    'address refundReceiver',
    'uint256 nonce',
  ].map(member);
  const message = { to: usdc, value: 0, data: transfer, operation: 0, safeTxGas: 0, baseGas: 0 };
  const rest = { gasPrice: 0, gasToken: zero, refundReceiver: zero, nonce: 1 };
  const ofSafe = { chainId: 1, verifyingContract: safe };
  assert.deepEqual(typed({ SafeTx }, 'SafeTx', { ...message, ...rest }, ofSafe)?.transfers(), [
    paid(safe),
  ]);
  const Call = ['address to', 'uint256 value', 'bytes data'].map(member);
  const BatchExecution = ['uint128 nonce', 'uint32 deadline', 'Call[] calls'].map(member);
  const calls = [
    { to: usdc, value: 0, data: transfer },
    { to: other, value: 7, data: '0x' },
  ];
  const station = { chainId: 1, verifyingContract: me };
  assert.deepEqual(
    typed(
      { BatchExecution, Call },
      'BatchExecution',
      { nonce: 0, deadline: 9, calls },
      station,
    )?.transfers(),
    [paid(me), { token: '', from: me, to: other, amount: 7n }],
  );
  const PackedUserOperation = [
    'address sender',
    'uint256 nonce',
    'bytes initCode',
    'bytes callData',
    'bytes32 accountGasLimits',
    'uint256 preVerificationGas',
    'bytes32 gasFees',
    'bytes paymasterAndData',
  ].map(member);
  const none = { paymasterAndData: '0x', preVerificationGas: 0, nonce: 0 };
  const word = `0x${'00'.repeat(32)}`;
  const operation = (callData: Hex, initCode = '0x') =>
    typed(
      { PackedUserOperation },
      'PackedUserOperation',
      { sender: safe, callData, initCode, accountGasLimits: word, gasFees: word, ...none },
      { chainId: 1, verifyingContract: other },
    )?.transfers();
  const execute = encodeFunctionData({ abi, functionName: 'execute', args: [usdc, 0n, transfer] });
  assert.deepEqual(operation(execute), [paid(safe)]);
  assert.deepEqual(operation('0x12345678'), everything(safe));
  // `transfer` of a wallet sends coins, although tokens have a function of the same form.
  assert.deepEqual(operation(transfer), everything(safe));
  // An account that has its code by EIP-7702 may be set up with other owners first.
  const marker = `0x7702${'00'.repeat(18)}`;
  assert.deepEqual(operation(execute, marker), [paid(safe)]);
  assert.deepEqual(operation(execute, `${marker}12`), [...everything(safe), paid(safe)]);
  const unknown = typed({ Order: [member('uint256 amount')] }, 'Order', { amount: 1 });
  assert.deepEqual(unknown?.transfers(), []);
});

test('approvals, operators and transfers of ERC-6909 count as units of their contract', () => {
  const of = (functionName: string, ...args: readonly unknown[]) =>
    counted(encodeFunctionData({ abi, functionName, args } as never), usdc);
  assert.deepEqual(of('approve', other, 3n, 25n), [paid(me)]);
  assert.deepEqual(of('approve', other, 3n, maxUint256), [{ ...paid(me), ...hidden }]);
  assert.deepEqual(of('approve', other, 3n, 0n), []);
  assert.deepEqual(of('transfer', other, 3n, 25n), [paid(me)]);
  assert.deepEqual(of('setOperator', other, true), [{ ...paid(me), ...hidden }]);
  assert.deepEqual(of('setOperator', other, false), []);
});

test('typed data of lending markets leaves every sum of its owner unknown', () => {
  const market = { name: 'Market', chainId: 1, verifyingContract: usdc };
  const rest = { nonce: 0, deadline: 9, expiry: 9 };
  const forms = [
    [
      'Authorization',
      'address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline',
    ],
    ['Authorization', 'address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry'],
    ['DelegationWithSig', 'address delegatee,uint256 value,uint256 nonce,uint256 deadline'],
  ] as const;
  for (const [name, members] of forms) {
    const types = { [name]: members.split(',').map(member) };
    const of = (isAllowed: boolean) =>
      typed(
        types,
        name,
        {
          authorizer: safe,
          authorized: other,
          isAuthorized: isAllowed,
          owner: safe,
          manager: other,
          isAllowed,
          delegatee: other,
          value: isAllowed ? 1 : 0,
          ...rest,
        },
        market,
      )?.transfers();
    assert.deepEqual(of(true), everything(name === 'Authorization' ? safe : me));
    assert.deepEqual(of(false), []);
  }
});

test('typed data of Tron counts for the networks of Tron too', () => {
  const Permit = [
    'address owner',
    'address spender',
    'uint256 value',
    'uint256 nonce',
    'uint256 deadline',
  ];
  const message = { owner: me, spender: other, value: 25, nonce: 0, deadline: 9 };
  const of = (chainId?: number) =>
    typed({ Permit: Permit.map(member) }, 'Permit', message, {
      name: 'Token',
      verifyingContract: usdc,
      ...(chainId === undefined ? {} : { chainId }),
    });
  // Addresses by TronWeb.
  const [token, from, to] = [usdc, me, other].map((each) =>
    TronWeb.address.fromHex(each.replace('0x', '41')),
  );
  for (const [chainId, chain] of [
    [0x2b6653dc, 'tron:0x2b6653dc'],
    [0xcd8690dc, 'tron:0xcd8690dc'],
    [0x94a9059e, 'tron:0x94a9059e'],
    [undefined, 'tron'],
  ] as const) {
    const transfers = of(chainId)?.transfers();
    assert.deepEqual(transfers, [paid(me), { chain, token, from, to, amount: 25n }]);
  }
  assert.deepEqual(of(1)?.transfers(), [paid(me)]);
});
