// Decodes the commands of a Universal Router (Uniswap): swaps, payments and permits. A command is a byte,
// with its own arguments in the list of inputs. Only arguments that every version reads alike are decoded.

import { hex } from '../../base/bytes.ts';
import type { AbiParameter } from '../../contracts/abi.ts';
import {
  type AbiValue,
  bytesOf,
  decodeUnshared,
  itemsOf,
  numberOf,
} from '../../contracts/abi_arguments.ts';
import { layoutOf } from '../../contracts/abi_layout.ts';
import { selectorOfSignature } from '../calls/token_calls.ts';
import { type Call, selectorOf } from './call.ts';

/** An account in a command. */
type Party = 'caller' | 'router' | Uint8Array;

/** An amount in the smallest unit, the whole balance of the router, or the open debt or credit of a swap. */
type Amount = bigint | 'whole balance' | 'open balance';

/** A step of a router. `token` has 20 bytes; zeros stand for the coin of the chain. */
export type RouterStep =
  | {
      readonly kind: 'pay';
      readonly from: Party;
      readonly to: Party | 'pools';
      readonly token: Uint8Array;
      readonly amount: Amount;
      readonly bound: 'exactly' | 'at most';
    }
  | {
      readonly kind: 'receive';
      readonly from: 'pools' | 'router';
      readonly to: Party;
      readonly token: Uint8Array;
      readonly amount: Amount;
      readonly bound: 'exactly' | 'at least';
    }
  | {
      readonly kind: 'portion';
      readonly of: 'router' | 'swap';
      readonly to: Party;
      readonly token: Uint8Array;
      readonly bips: bigint;
    }
  | { readonly kind: 'wrap' | 'unwrap'; readonly to: Party; readonly amount: Amount }
  | {
      readonly kind: 'permit';
      readonly to: Party;
      readonly token: Uint8Array;
      readonly amount: bigint;
      readonly endsAt: bigint;
    }
  | { readonly kind: 'swap'; readonly protocol: 'V4' }
  | {
      readonly kind: 'check';
      readonly owner: Party;
      readonly token: Uint8Array;
      readonly amount: bigint;
    }
  | { readonly kind: 'unknown'; readonly command: string };

/** Limits for one call. */
export const routerLimits = { steps: 64, commands: 64, depth: 2 } as const;

const signatures = ['execute(bytes,bytes[],uint256)', 'execute(bytes,bytes[])'] as const;

const selectors: ReadonlyMap<string, string> = new Map(
  signatures.map((signature) => [`0x${selectorOfSignature(signature)}`, signature]),
);

/** Returns the signature of the function of a router with a selector. */
export const routerSignature = (selector: string): string | undefined => selectors.get(selector);

/**
 * Returns the steps of a call; undefined if the call is not one of a router. Commands beyond the limits, and
 * lists of commands and inputs of different lengths, are unknown steps.
 */
export function readRouter(call: Call): readonly RouterStep[] | undefined {
  if (!selectors.has(selectorOf(call) ?? '')) return undefined;
  const left = { commands: routerLimits.commands };
  const steps = planSteps(call.data.subarray(4), left, routerLimits.depth);
  if (steps.length <= routerLimits.steps) return steps;
  return [...steps.slice(0, routerLimits.steps), unknown('further commands')];
}

const parameter = (type: string): AbiParameter => ({ name: '', type });
const layout = (...types: readonly string[]) => layoutOf(types.map(parameter));
const planLayout = layout('bytes', 'bytes[]');

/** The number of commands that may still be read. */
type Left = { commands: number };

function planSteps(data: Uint8Array, left: Left, depth: number): readonly RouterStep[] {
  const [commands, inputs] = decodeUnshared(planLayout, data) ?? [];
  const [codes, all] = [bytesOf(commands), itemsOf(inputs).map(bytesOf)];
  if (commands === undefined || codes.length !== all.length) return [unknown('list of commands')];
  const steps: RouterStep[] = [];
  for (const [i, code] of codes.entries()) {
    left.commands -= 1;
    if (left.commands < 0) return [...steps, unknown('further commands')];
    steps.push(...commandSteps(code, all[i] ?? new Uint8Array(0), left, depth));
  }
  return steps;
}

/** The first bit lets the command fail, so its effect is possible but not certain. */
const commandBits = 0x7f;

function commandSteps(
  code: number,
  input: Uint8Array,
  left: Left,
  depth: number,
): readonly RouterStep[] {
  const command = code & commandBits;
  if (command === subPlan && depth > 0) return planSteps(input, left, depth - 1);
  return stepsOf(commands, command, input) ?? [unknown(`command 0x${hexOf(command)}`)];
}

const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0');
const unknown = (command: string): RouterStep => ({ kind: 'unknown', command });
const subPlan = 0x21;

type Given = {
  readonly party: (index: number) => Party;
  readonly token: (index: number) => Uint8Array;
  readonly number: (index: number) => bigint;
  readonly isTrue: (index: number) => boolean;
  readonly value: (index: number) => AbiValue | undefined;
};
type Read = (given: Given) => readonly RouterStep[] | undefined;
type Command = { readonly layout: ReturnType<typeof layout>; readonly read: Read };
type Commands = ReadonlyMap<number, Command>;

function stepsOf(
  table: Commands,
  code: number,
  input: Uint8Array,
): readonly RouterStep[] | undefined {
  const row = table.get(code);
  const values = row && decodeUnshared(row.layout, input);
  return values === undefined ? undefined : row?.read(givenOf(values));
}

/** Numbers that stand for accounts and balances. */
const [callerNumber, routerNumber] = [1n, 2n];
const balanceOfRouter = 2n ** 255n;

function givenOf(values: readonly AbiValue[]): Given {
  const number = (index: number) => numberOf(values[index]);
  const token = (index: number) => bytesOf(values[index]);
  return {
    number,
    token,
    party: (index) => partyOf(token(index)),
    isTrue: (index) => {
      const value = values[index];
      return value?.kind === 'boolean' && value.value;
    },
    value: (index) => values[index],
  };
}

function partyOf(account: Uint8Array): Party {
  const number = BigInt(`0x${hex(account)}`);
  if (number === callerNumber) return 'caller';
  return number === routerNumber ? 'router' : account;
}

const balanceOr = (amount: bigint): Amount =>
  amount === balanceOfRouter ? 'whole balance' : amount;

/** In actions of V4, zero stands for the open debt or credit of the swap. */
const openOr = (amount: bigint): Amount => (amount === 0n ? 'open balance' : balanceOr(amount));

type Path = { readonly from: Uint8Array; readonly to: Uint8Array } | undefined;

/** Tokens of 20 bytes with fees of 3 bytes in between. */
function pathOfV3(value: AbiValue | undefined): Path {
  const path = bytesOf(value);
  if (path.length < 43 || (path.length - 20) % 23 !== 0) return undefined;
  return { from: path.subarray(0, 20), to: path.subarray(-20) };
}

function pathOfV2(value: AbiValue | undefined): Path {
  const tokens = itemsOf(value).map(bytesOf);
  const [from, to] = [tokens[0], tokens.at(-1)];
  return tokens.length < 2 || from === undefined || to === undefined ? undefined : { from, to };
}

type Payment = Extract<RouterStep, { kind: 'pay' }>;
type Receipt = Extract<RouterStep, { kind: 'receive' }>;

const pay = (
  [from, to]: readonly [Payment['from'], Payment['to']],
  token: Uint8Array,
  amount: Amount,
  bound: Payment['bound'] = 'exactly',
): RouterStep => ({ kind: 'pay', from, to, token, amount, bound });

const receive = (
  [from, to]: readonly [Receipt['from'], Receipt['to']],
  token: Uint8Array,
  amount: Amount,
  bound: Receipt['bound'] = 'exactly',
): RouterStep => ({ kind: 'receive', from, to, token, amount, bound });

/** Reads a swap: recipient, amount, bound, path, and true if the caller pays. */
const swap =
  (pathOf: (value: AbiValue | undefined) => Path, isExactIn: boolean, isReversed = false): Read =>
  ({ party, number, value, isTrue }) => {
    const path = pathOf(value(3));
    if (path === undefined) return undefined;
    const [first, second] = [number(1), number(2)];
    const [paid, received] = isExactIn ? [balanceOr(first), second] : [second, first];
    const [token, other] = isReversed ? [path.to, path.from] : [path.from, path.to];
    const payer = isTrue(4) ? 'caller' : 'router';
    return [
      pay([payer, 'pools'], token, paid, isExactIn ? 'exactly' : 'at most'),
      receive(['pools', party(0)], other, received, isExactIn ? 'at least' : 'exactly'),
    ];
  };

const swapTypes = ['address', 'uint256', 'uint256'] as const;
const ofV3 = layout(...swapTypes, 'bytes', 'bool');
const ofV2 = layout(...swapTypes, 'address[]', 'bool');
/** A token, a recipient and an amount. */
const payment = layout('address', 'address', 'uint256');
const pair = layout('address', 'uint256');

const tuple = (
  type: 'tuple' | 'tuple[]',
  ...components: readonly AbiParameter[]
): AbiParameter => ({
  name: '',
  type,
  components,
});
const permitDetails = tuple(
  'tuple[]',
  ...['address', 'uint160', 'uint48', 'uint48'].map(parameter),
);
const permitBatch = layoutOf([
  tuple('tuple', permitDetails, parameter('address'), parameter('uint256')),
  parameter('bytes'),
]);
const transferBatch = layoutOf([
  tuple('tuple[]', ...['address', 'address', 'uint160', 'address'].map(parameter)),
]);

/** A portion of a balance in hundredths of a percent. */
const portion = (of: 'router' | 'swap'): Command => ({
  layout: payment,
  read: ({ token, party, number }) => [
    { kind: 'portion', of, to: party(1), token: token(0), bips: number(2) },
  ],
});

const commands: Commands = new Map<number, Command>([
  [0x00, { layout: ofV3, read: swap(pathOfV3, true) }],
  [0x01, { layout: ofV3, read: swap(pathOfV3, false, true) }],
  [
    0x02,
    {
      layout: layout('address', 'address', 'uint160'),
      read: ({ token, party, number }) => [pay(['caller', party(1)], token(0), number(2))],
    },
  ],
  [
    0x03,
    {
      layout: permitBatch,
      read: ({ value }) => {
        const [details, spender] = itemsOf(value(0));
        return itemsOf(details).map((each) => permit(givenOf(itemsOf(each)), spender));
      },
    },
  ],
  [
    0x04,
    {
      layout: payment,
      read: ({ token, party, number }) => [
        receive(['router', party(1)], token(0), number(2), 'at least'),
      ],
    },
  ],
  [
    0x05,
    {
      layout: payment,
      read: ({ token, party, number }) => [
        receive(['router', party(1)], token(0), balanceOr(number(2))),
      ],
    },
  ],
  [0x06, portion('router')],
  [0x08, { layout: ofV2, read: swap(pathOfV2, true) }],
  [0x09, { layout: ofV2, read: swap(pathOfV2, false) }],
  [
    0x0a,
    {
      layout: layout('address', 'uint160', 'uint48', 'uint48', 'address', 'uint256', 'bytes'),
      read: (given) => [permit(given, given.value(4))],
    },
  ],
  [
    0x0b,
    {
      layout: pair,
      read: ({ party, number }) => [{ kind: 'wrap', to: party(0), amount: balanceOr(number(1)) }],
    },
  ],
  [
    0x0c,
    {
      layout: pair,
      read: ({ party, number }) => [{ kind: 'unwrap', to: party(0), amount: number(1) }],
    },
  ],
  [
    0x0d,
    {
      layout: transferBatch,
      read: ({ value }) =>
        itemsOf(value(0)).map((each) => {
          const { token, number } = givenOf(itemsOf(each));
          return pay([token(0), token(1)], token(3), number(2));
        }),
    },
  ],
  [
    0x0e,
    {
      layout: payment,
      read: ({ token, number }) => [
        { kind: 'check', owner: token(0), token: token(1), amount: number(2) },
      ],
    },
  ],
  [0x10, { layout: planLayout, read: ({ value }) => actionSteps(value(0), value(1)) }],
]);

/** Returns the allowance in the terms of a permit. Permit2 takes the spender literally. */
const permit = ({ token, number }: Given, spender: AbiValue | undefined): RouterStep => ({
  kind: 'permit',
  to: bytesOf(spender),
  token: token(0),
  amount: number(1),
  endsAt: number(2),
});

function actionSteps(
  codes: AbiValue | undefined,
  inputs: AbiValue | undefined,
): readonly RouterStep[] | undefined {
  const [actions, all] = [bytesOf(codes), itemsOf(inputs)];
  if (actions.length !== all.length) return undefined;
  return [...actions.subarray(0, routerLimits.steps + 1)].flatMap((code, i) => {
    if (swapsOfV4.has(code)) return [{ kind: 'swap', protocol: 'V4' }];
    return (
      stepsOf(actionsOfV4, code, bytesOf(all[i])) ?? [unknown(`action 0x${hexOf(code)} of V4`)]
    );
  });
}

/** Swaps of V4, whose terms differ between versions. Payments and receipts bound them. */
const swapsOfV4: ReadonlySet<number> = new Set([0x06, 0x07, 0x08, 0x09]);

const actionsOfV4: Commands = new Map<number, Command>([
  [
    0x0b,
    {
      layout: layout('address', 'uint256', 'bool'),
      read: ({ token, number, isTrue }) => [
        pay([isTrue(2) ? 'caller' : 'router', 'pools'], token(0), openOr(number(1))),
      ],
    },
  ],
  [
    0x0c,
    {
      layout: pair,
      read: ({ token, number }) => [pay(['caller', 'pools'], token(0), number(1), 'at most')],
    },
  ],
  [
    0x0e,
    {
      layout: payment,
      read: ({ token, party, number }) => [
        receive(['pools', party(1)], token(0), openOr(number(2))),
      ],
    },
  ],
  [
    0x0f,
    {
      layout: pair,
      read: ({ token, number }) => [receive(['pools', 'caller'], token(0), number(1), 'at least')],
    },
  ],
  [0x10, portion('swap')],
]);
