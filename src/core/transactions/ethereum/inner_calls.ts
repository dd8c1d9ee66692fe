// Decodes inner calls without an interface: Safe transactions, MultiSend, Multicall3, and contract accounts
// that execute calls (functions of ERC-4337 and ERC-7821). Another contract may use the same selectors
// with another meaning.

import { hex, utf8 } from '../../base/bytes.ts';
import type { AbiParameter } from '../../contracts/abi.ts';
import {
  type AbiValue,
  bytesOf,
  decodeUnshared,
  itemsOf,
  numberOf,
} from '../../contracts/abi_arguments.ts';
import { layoutOf, type TupleLayout } from '../../contracts/abi_layout.ts';
import { keccak256 } from '../../crypto/hashes.ts';
import { type Call, isZeroAddress, selectorOf } from './call.ts';

/** A call that a contract makes when another call is executed. */
export type InnerCall = Call & {
  /** In wei. Undefined if the contract decides it. */
  readonly value: bigint | undefined;
  /** True for a delegate call: the contract runs the code of the other contract as its own. */
  readonly isDelegate: boolean;
};

/**
 * The refund of gas that a Safe pays after its transaction. The price of a token has no bound, so the refund
 * may be all that the Safe holds of it.
 */
export type SafeRefund = {
  readonly baseGas: bigint;
  /** In wei, or in the smallest unit of the token, for each unit of gas. Zero for no refund. */
  readonly gasPrice: bigint;
  /** 20 bytes. Zeros for the coin of the chain. */
  readonly token: Uint8Array;
  /** 20 bytes. Zeros for the account that executes the transaction. */
  readonly receiver: Uint8Array;
};

export type Bundle = {
  /** Condition for the calls, as text after the contract's address: `is a Safe`. */
  readonly condition: string;
  /** The sender of the inner calls: the called contract, or its caller. */
  readonly sender: 'contract' | 'caller';
  readonly calls: readonly InnerCall[];
  /** Only of a Safe. */
  readonly refund: SafeRefund | undefined;
};

/** MultiSend and MultiSendCallOnly of Safe 1.1.1 to 1.5.0. A Safe runs them by delegate call. */
const multiSends = new Set(
  [
    '8D29bE29923b68abfDD21e541b9374737B49cdAD',
    'A238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761',
    '998739BFdAAdde7C933B942a68053933098f9EDa',
    '0dFcccB95225ffB03c6FBB2559B530C2B7C8A912',
    '40A2aCCbd92BCA938b02010E17A5b8929b49130D',
    'A1dabEF33b3B82c7814B6D82A79e50F4AC44102B',
    'f220D3b4DFb23C4ade8C88E526C1353AbAcbC38F',
    '38869bf66a61cF6bDB996A6aE40D5853Fd43B526',
    '309D0B190FeCCa8e1D5D8309a16F7e3CB133E885',
    '9641d764fc13c8B624c04430C7356C1C7C8102e2',
    '0408EF011960d02349d50286D20531229BCef773',
    '218543288004CD07832472D464648173c77D7eB7',
    'A83c336B20401Af773B6219BA5027174338D1836',
  ].map((address) => address.toLowerCase()),
);

/** Returns true if a delegate call of a Safe to this address can only make further calls. */
export const isMultiSend = (address: Uint8Array): boolean => multiSends.has(hex(address));

/**
 * Returns true if a call of a bundle is to the zero address. MultiSend of Safe 1.5.0 replaces this address by
 * that of the Safe.
 */
export const namesNoAddress = ({ calls }: Bundle): boolean =>
  calls.some(({ to }) => isZeroAddress(to));

/**
 * Returns the inner calls of a call, maybe none; undefined if the call is not a known wrapper. Arguments that
 * contracts of different compilers treat differently are `unreadable`.
 */
export function bundleOf(call: Call): Bundle | 'unreadable' | undefined {
  const row = rows.get(selectorOf(call) ?? '');
  if (row === undefined) return undefined;
  const values = decodeUnshared(row.layout, call.data.subarray(4));
  const calls = values && row.read(values, call.to);
  if (calls === undefined) return 'unreadable';
  const { condition, sender = 'contract' } = row;
  return { condition, sender, calls, refund: row.refund?.(values ?? []) };
}

/** Returns the signature of the known wrapper with a selector. */
export const wrapperSignature = (selector: string): string | undefined =>
  rows.get(selector)?.signature;

type Row = {
  readonly condition: string;
  readonly sender?: 'caller';
  /** Returns undefined for contradictory arguments. */
  readonly read: (
    values: readonly AbiValue[],
    contract: Uint8Array,
  ) => readonly InnerCall[] | undefined;
  readonly refund?: (values: readonly AbiValue[]) => SafeRefund;
};

const row = (name: string, types: readonly string[], row: Row) => {
  const layout: TupleLayout = layoutOf(types.map(parameterOf));
  const signature = `${name}(${types.join(',')})`;
  const selector = keccak256(utf8(signature)).subarray(0, 4);
  return [`0x${hex(selector)}` as string, { ...row, layout, signature }] as const;
};

/** Parses a type such as `(address,bytes)[]` into an ABI parameter. Tuples have only elementary types. */
function parameterOf(type: string): AbiParameter {
  const [, members, brackets] = /^\((.*)\)(.*)$/.exec(type) ?? [];
  if (members === undefined) return { name: '', type };
  const components = members.split(',').map(parameterOf);
  return { name: '', type: `tuple${brackets}`, components };
}

const isMulticall = 'is Multicall3';
const isMulticallOfItself = 'runs several of its own functions in one call';
const executesCalls = 'is an account that executes calls';
const isTimelock = 'is a timelock';

/** Members of user operations: of version 0.7 and later, and of version 0.6. */
const packedOperation = 'address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes';
const firstOperation =
  'address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes';

const rows = new Map([
  row(
    'execTransaction',
    'address uint256 bytes uint8 uint256 uint256 uint256 address address bytes'.split(' '),
    {
      condition: 'is a Safe',
      read: safeCall,
      refund: ([, , , , , baseGas, gasPrice, token, receiver]) => ({
        baseGas: numberOf(baseGas),
        gasPrice: numberOf(gasPrice),
        token: bytesOf(token),
        receiver: bytesOf(receiver),
      }),
    },
  ),
  ...['execTransactionFromModule', 'execTransactionFromModuleReturnData'].map((name) =>
    row(name, ['address', 'uint256', 'bytes', 'uint8'], {
      condition: 'is a Safe',
      read: safeCall,
    }),
  ),
  row('multiSend', ['bytes'], {
    condition: 'is MultiSend',
    read: ([packed]) => readMultiSend(bytesOf(packed)),
  }),
  row('aggregate', ['(address,bytes)[]'], {
    condition: isMulticall,
    read: ([calls]) => callsWithoutValue(calls),
  }),
  row('tryAggregate', ['bool', '(address,bytes)[]'], {
    condition: isMulticall,
    read: ([, calls]) => callsWithoutValue(calls),
  }),
  row('blockAndAggregate', ['(address,bytes)[]'], {
    condition: isMulticall,
    read: ([calls]) => callsWithoutValue(calls),
  }),
  row('tryBlockAndAggregate', ['bool', '(address,bytes)[]'], {
    condition: isMulticall,
    read: ([, calls]) => callsWithoutValue(calls),
  }),
  row('aggregate3', ['(address,bool,bytes)[]'], {
    condition: isMulticall,
    read: ([calls]) => tuplesOf(calls).map(([to, , data]) => innerCall(to, 0n, data)),
  }),
  row('aggregate3Value', ['(address,bool,uint256,bytes)[]'], {
    condition: isMulticall,
    read: ([calls]) =>
      tuplesOf(calls).map(([to, , value, data]) => innerCall(to, numberOf(value), data)),
  }),
  row('multicall', ['bytes[]'], {
    condition: isMulticallOfItself,
    sender: 'caller',
    read: ([calls], contract) => ownCalls(calls, contract),
  }),
  ...['uint256', 'bytes32'].map((first) =>
    row('multicall', [first, 'bytes[]'], {
      condition: isMulticallOfItself,
      sender: 'caller',
      read: ([, calls], contract) => ownCalls(calls, contract),
    }),
  ),
  row('execute', ['bytes32', 'bytes'], {
    condition: executesCalls,
    read: ([mode, data], contract) => callsOfMode(bytesOf(mode), bytesOf(data), contract),
  }),
  // The proxy of an owner of MakerDAO runs foreign code as its own.
  row('execute', ['address', 'bytes'], {
    condition: 'is the proxy of an owner',
    read: ([to, data]) => [{ ...innerCall(to, 0n, data), isDelegate: true }],
  }),
  ...['execute', 'executeBatch'].map((name) =>
    row(name, ['(address,uint256,bytes)[]'], {
      condition: executesCalls,
      read: ([calls]) => valuedCalls(calls),
    }),
  ),
  row('executeBatch', ['address[]', 'bytes[]'], {
    condition: executesCalls,
    read: ([to, data]) => listedCalls(to, data),
  }),
  ...[packedOperation, firstOperation].map((operation) =>
    row('handleOps', [`(${operation})[]`, 'address'], {
      condition: 'is an entry point of ERC-4337',
      read: ([operations]) => calledAccounts(operations),
    }),
  ),
  row('schedule', ['address', 'uint256', 'bytes', 'bytes32', 'bytes32', 'uint256'], {
    condition: isTimelock,
    read: oneCall,
  }),
  row('execute', ['address', 'uint256', 'bytes', 'bytes32', 'bytes32'], {
    condition: isTimelock,
    read: oneCall,
  }),
  ...[['scheduleBatch', 'uint256'] as const, ['executeBatch'] as const].map(([name, ...delay]) =>
    row(name, ['address[]', 'uint256[]', 'bytes[]', 'bytes32', 'bytes32', ...delay], {
      condition: isTimelock,
      read: ([to, values, data]) => listedCalls(to, data, itemsOf(values)),
    }),
  ),
  row('submitTransaction', ['address', 'uint256', 'bytes'], {
    condition: 'is a wallet of several owners',
    read: oneCall,
  }),
  row('execute', ['address', 'uint256', 'bytes'], {
    condition: executesCalls,
    read: oneCall,
  }),
  row('executeBatch', ['address[]', 'uint256[]', 'bytes[]'], {
    condition: executesCalls,
    read: ([to, values, data]) => listedCalls(to, data, itemsOf(values)),
  }),
]);

const callList = layoutOf([parameterOf('(address,uint256,bytes)[]')]);

/** Selectors in the modes of batches whose data are calls. Others include batches of batches (ERC-7821). */
const batchSelectors: ReadonlySet<string> = new Set(['00000000', '78210001']);

/**
 * Reads the calls of `execute(mode, data)` (ERC-7579, ERC-7821). The first byte of the mode names a single
 * call, a batch or a delegate call. Returns undefined for other modes, for batches of batches, and for a
 * batch that accounts read differently.
 */
function callsOfMode(
  mode: Uint8Array,
  data: Uint8Array,
  contract: Uint8Array,
): readonly InnerCall[] | undefined {
  const [kind] = mode;
  if (kind === 1) {
    const isList = batchSelectors.has(hex(mode.subarray(6, 10)));
    const calls = isList ? decodeUnshared(callList, data) : undefined;
    if (calls === undefined) return undefined;
    // In ERC-7821 no address means the account itself.
    return valuedCalls(calls[0]).map((call) =>
      isZeroAddress(call.to) ? { ...call, to: contract } : call,
    );
  }
  const to = data.subarray(0, 20);
  if (kind === 0xff && data.length >= 20) {
    return [{ to, value: 0n, data: data.subarray(20), isDelegate: true }];
  }
  if (kind !== 0 || data.length < 52) return undefined;
  const value = BigInt(`0x${hex(data.subarray(20, 52))}`);
  return [{ to, value, data: data.subarray(52), isDelegate: false }];
}

function oneCall([to, value, data]: readonly AbiValue[]): readonly InnerCall[] {
  return [innerCall(to, numberOf(value), data)];
}

/** Returns calls without a value. */
const callsWithoutValue = (calls: AbiValue | undefined): readonly InnerCall[] =>
  tuplesOf(calls).map(([to, data]) => innerCall(to, 0n, data));

const valuedCalls = (calls: AbiValue | undefined): readonly InnerCall[] =>
  tuplesOf(calls).map(([to, value, data]) => innerCall(to, numberOf(value), data));

/** Returns the calls of lists of targets, data and values; undefined for lists of several lengths. */
function listedCalls(
  to: AbiValue | undefined,
  data: AbiValue | undefined,
  values?: readonly AbiValue[],
): readonly InnerCall[] | undefined {
  const [targets, inputs] = [itemsOf(to), itemsOf(data)];
  if (targets.length !== inputs.length) return undefined;
  if (values !== undefined && values.length !== targets.length) return undefined;
  return targets.map((target, i) => innerCall(target, numberOf(values?.[i]), inputs[i]));
}

/** Returns the calls that an entry point makes to the accounts of operations. */
const calledAccounts = (operations: AbiValue | undefined): readonly InnerCall[] =>
  tuplesOf(operations).map(([sender, , , data]) => innerCall(sender, 0n, data));

function safeCall([to, value, data, operation]: readonly AbiValue[]):
  | readonly InnerCall[]
  | undefined {
  const kind = numberOf(operation);
  if (kind > 1n) return undefined;
  return [{ ...innerCall(to, numberOf(value), data), isDelegate: kind === 1n }];
}

/**
 * Reads packed calls: operation (1 byte), address (20), value (32), length (32), data. Returns undefined for
 * trailing or missing bytes.
 */
export function readMultiSend(packed: Uint8Array): readonly InnerCall[] | undefined {
  const calls: InnerCall[] = [];
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  for (let at = 0; at < packed.length; ) {
    const body = at + headBytes;
    if (body > packed.length) return undefined;
    const operation = view.getUint8(at);
    const length = BigInt(`0x${hex(packed.subarray(at + 53, body))}`);
    if (operation > 1 || length > BigInt(packed.length - body)) return undefined;
    const end = body + Number(length);
    calls.push({
      to: packed.subarray(at + 1, at + 21),
      value: BigInt(`0x${hex(packed.subarray(at + 21, at + 53))}`),
      data: packed.subarray(body, end),
      isDelegate: operation === 1,
    });
    at = end;
  }
  return calls;
}

const headBytes = 1 + 20 + 32 + 32;

/** Returns calls of a contract to itself. They share the value of the outer call. */
const ownCalls = (calls: AbiValue | undefined, contract: Uint8Array): readonly InnerCall[] =>
  itemsOf(calls).map((data) => ({
    to: contract,
    value: undefined,
    data: bytesOf(data),
    isDelegate: false,
  }));

const innerCall = (
  to: AbiValue | undefined,
  value: bigint,
  data: AbiValue | undefined,
): InnerCall => ({ to: bytesOf(to), value, data: bytesOf(data), isDelegate: false });

const tuplesOf = (value: AbiValue | undefined) => itemsOf(value).map(itemsOf);
