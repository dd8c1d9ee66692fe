// Every operator between every pair of types: acceptance by the checker, and the value.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compileClause,
  ExpressionError,
  type Logic,
} from '../../../../src/core/policy/language/clause.ts';
import {
  caselessText,
  type Scope,
  SpelledText,
} from '../../../../src/core/policy/language/values.ts';

const large = 2n ** 200n;

const scope: Scope = {
  wallet: { id: 'a', imported: true },
  eth: {
    tx: {
      to: caselessText('A'),
      value: 7n,
      contract_call_args: new Map<string, string | bigint | boolean | bigint[]>([
        ['text', 'a'],
        ['number', 7n],
        ['bool', true],
        ['list', [7n, 8n]],
      ]),
    },
    eip_712: { domain: { chain_id: large } },
  },
};

/**
 * Operands: their text, their family, and the value in this test. A `~` marks families that only the
 * evaluation can see.
 */
const operands = {
  bool: { text: 'wallet.imported', family: 'bool', value: true },
  false: { text: 'false', family: 'bool', value: false },
  int: { text: 'eth.tx.value', family: 'int', value: 7n },
  'int literal': { text: '-8', family: 'int', value: -8n },
  uint: { text: 'eth.eip_712.domain.chain_id', family: 'uint', value: large },
  'uint literal': { text: `${large}`, family: 'wide', value: large },
  string: { text: 'wallet.id', family: 'string', value: 'a' },
  'string literal': { text: `'A'`, family: 'string', value: 'A' },
  caseless: { text: 'eth.tx.to', family: 'string', value: 'any case: a' },
  'dynamic text': { text: `eth.tx.contract_call_args['text']`, family: '~string', value: 'a' },
  'dynamic int': { text: `eth.tx.contract_call_args['number']`, family: '~int', value: 7n },
  'dynamic bool': { text: `eth.tx.contract_call_args['bool']`, family: '~bool', value: true },
  'dynamic list': { text: `eth.tx.contract_call_args['list']`, family: '~list', value: [7n, 8n] },
  'list of int': { text: '[7, 8]', family: 'list', value: [7n, 8n] },
  'list of string': { text: `['a', 'b']`, family: 'list', value: ['a', 'b'] },
  'empty list': { text: '[]', family: 'list', value: [] },
  map: { text: 'eth.tx.contract_call_args', family: 'map', value: undefined },
  struct: { text: 'wallet', family: 'struct', value: undefined },
} as const;

type Operand = (typeof operands)[keyof typeof operands];
type Expected = boolean | 'refused' | 'type_mismatch';

/** Pairs of families that `==` accepts. */
const comparable = new Set([
  'bool bool',
  'int int',
  'int uint',
  'uint int',
  'uint uint',
  'uint wide',
  'wide uint',
  'wide wide',
  'string string',
]);
const equalities = ['==', '!='];
const orders = ['<', '<=', '>', '>='];
const logic = ['&&', '||'];
const scalars = ['bool', 'int', 'uint', 'wide', 'string'];

function expectedOf(operator: string, left: Operand, right: Operand): Expected {
  if (logic.includes(operator)) return expectedOfLogic(operator, left, right);
  if (operator === 'in') return expectedOfSearch(left, right);
  const families = [left.family, right.family];
  const isDynamic = families.some((family) => family.startsWith('~'));
  for (const family of families) {
    if (family.startsWith('~')) continue;
    if (!scalars.includes(family)) return 'refused';
    if (orders.includes(operator) && (family === 'bool' || family === 'string')) return 'refused';
  }
  if (!isDynamic && !comparable.has(families.join(' '))) return 'refused';
  if (orders.includes(operator)) {
    if (typeof left.value !== 'bigint' || typeof right.value !== 'bigint') return 'type_mismatch';
    const difference = left.value - right.value;
    const isLess = difference < 0n;
    const isEqual = difference === 0n;
    return { '<': isLess, '<=': isLess || isEqual, '>': !isLess && !isEqual, '>=': !isLess }[
      operator as '<'
    ];
  }
  const isEqual = areEqual(left.value, right.value);
  return isEqual === undefined ? 'type_mismatch' : isEqual === (operator === '==');
}

function expectedOfLogic(operator: string, left: Operand, right: Operand): Expected {
  for (const { family } of [left, right]) {
    if (family !== 'bool' && !family.startsWith('~')) return 'refused';
  }
  const { value: a } = left;
  const { value: b } = right;
  if (typeof a !== 'boolean' || typeof b !== 'boolean') return 'type_mismatch';
  return operator === '&&' ? a && b : a || b;
}

function expectedOfSearch(left: Operand, right: Operand): Expected {
  const isDynamic = left.family.startsWith('~');
  if (!isDynamic && !scalars.includes(left.family)) return 'refused';
  if (right.family !== 'list' && !right.family.startsWith('~')) return 'refused';
  if (right === operands['list of int'] && !isDynamic && !['int', 'uint'].includes(left.family)) {
    return 'refused';
  }
  if (right === operands['list of string'] && !isDynamic && left.family !== 'string') {
    return 'refused';
  }
  if (!Array.isArray(right.value)) return 'type_mismatch';
  const found = right.value.map((element) => areEqual(left.value, element));
  return found.includes(undefined) ? 'type_mismatch' : found.includes(true);
}

function areEqual(a: unknown, b: unknown): boolean | undefined {
  if (typeof a !== typeof b || typeof a === 'object') return undefined;
  const caseless = [a, b].find((side) => typeof side === 'string' && side.startsWith('any case: '));
  if (typeof a !== 'string' || typeof b !== 'string' || caseless === undefined) return a === b;
  const plain = (text: string) => text.replace('any case: ', '').toLowerCase();
  return plain(a) === plain(b);
}

for (const operator of [...equalities, ...orders, ...logic, 'in']) {
  test(`\`${operator}\` between every pair of types`, () => {
    for (const [leftName, left] of Object.entries(operands)) {
      for (const [rightName, right] of Object.entries(operands)) {
        const text = `${left.text} ${operator} ${right.text}`;
        const found = resultOf(text);
        assert.equal(
          found,
          expectedOf(operator, left, right),
          `${leftName}, ${rightName}: ${text}`,
        );
      }
    }
  });
}

test('`!` takes a bool or a value of a map', () => {
  for (const { text, family, value } of Object.values(operands)) {
    const expected =
      typeof value === 'boolean' ? !value : family.startsWith('~') ? 'type_mismatch' : 'refused';
    assert.equal(resultOf(`!${text}`), expected, text);
  }
});

test('a clause is a bool or a value of a map', () => {
  for (const { text, family, value } of Object.values(operands)) {
    const expected =
      typeof value === 'boolean' ? value : family.startsWith('~') ? 'type_mismatch' : 'refused';
    assert.equal(resultOf(text), expected, text);
  }
});

test('`.contains` equals `in`', () => {
  for (const left of Object.values(operands)) {
    for (const right of Object.values(operands)) {
      const searched = resultOf(`${left.text} in ${right.text}`);
      assert.equal(resultOf(`${right.text}.contains(${left.text})`), searched, left.text);
    }
  }
});

test('times are compared only with times', () => {
  const now = { time: { now: 1_000_000_000n } };
  const instants = { 'time.now': 1, [`Timestamp('1970-01-01T00:00:02Z')`]: 2 };
  for (const [left, a] of Object.entries(instants)) {
    for (const [right, b] of Object.entries(instants)) {
      const holds = {
        '==': a === b,
        '!=': a !== b,
        '<': a < b,
        '<=': a <= b,
        '>': a > b,
        '>=': a >= b,
      };
      for (const [operator, value] of Object.entries(holds)) {
        const clause = compileClause('time', `${left} ${operator} ${right}`);
        assert.deepEqual(clause.evaluate(now), { value }, clause.text);
      }
    }
    for (const other of ['1', 'true', `'2026-03-01T00:00:00Z'`, '[1]', 'time']) {
      for (const operator of [...equalities, ...orders]) {
        assert.throws(() => compileClause('time', `${left} ${operator} ${other}`), ExpressionError);
        assert.throws(() => compileClause('time', `${other} ${operator} ${left}`), ExpressionError);
      }
    }
    assert.deepEqual(compileClause('time', `${left} in [${left}]`).evaluate(now), { value: true });
    for (const operator of [...equalities, ...orders]) {
      // An empty list has elements of any type, since it has none.
      for (const text of [`[].all(x, x ${operator} ${left})`, `[].all(x, ${left} ${operator} x)`]) {
        assert.deepEqual(compileClause('time', text).evaluate(now), { value: true });
      }
    }
  }
});

/** One text in several spellings: the values that an ALLOW and a DENY equate with it. */
const spellings = [
  { text: `'Ab'`, allow: ['Ab'], deny: ['Ab'] },
  { text: `'CD'`, allow: ['CD'], deny: ['CD'] },
  { text: `'cd'`, allow: ['cd'], deny: ['cd'] },
  { text: 'wallet.id', allow: ['Ab'], deny: ['Ab'] },
  { text: 'wallet.label', allow: ['CD'], deny: ['CD'] },
  { text: 'bitcoin.tx.outputs[0].address', allow: ['Ab'], deny: ['Ab', 'CD', 'ef'] },
  { text: 'bitcoin.tx.outputs[1].address', allow: ['gh'], deny: ['gh', 'ef'] },
  { text: 'bitcoin.tx.outputs[2].address', allow: ['ij'], deny: ['ij'] },
  { text: `eth.eip_712.message['spelled']`, allow: ['Ab'], deny: ['Ab', 'CD', 'ef'] },
];

const spelledScope: Scope = {
  wallet: { id: 'Ab', label: 'CD' },
  bitcoin: {
    tx: {
      outputs: [
        { address: new SpelledText('Ab', () => ['CD', 'ef']) },
        { address: new SpelledText('gh', () => ['ef']) },
        { address: new SpelledText('ij', () => []) },
      ],
    },
  },
  eth: {
    tx: { to: caselessText('cD') },
    eip_712: {
      message: new Map([['spelled', new SpelledText('Ab', () => ['CD', 'ef'])]]),
    },
  },
};

test('a text with several spellings equals each in a DENY, and only the shown one in an ALLOW', () => {
  for (const left of spellings) {
    for (const right of spellings) {
      for (const logic of ['strict', 'three_valued'] as const) {
        const side = logic === 'strict' ? 'allow' : 'deny';
        const areEqual = left[side].some((each) => right[side].includes(each));
        for (const [text, value] of [
          [`${left.text} == ${right.text}`, areEqual],
          [`${left.text} != ${right.text}`, !areEqual],
          [`${left.text} in [${right.text}, 'else']`, areEqual],
          [`${left.text} in [${right.text}, wallet.id][0..1]`, areEqual],
        ] as const) {
          assert.deepEqual(evaluated(text, spelledScope, logic), { value }, `${side}: ${text}`);
        }
      }
    }
  }
});

test('each spelling of a text equals a case-insensitive text', () => {
  for (const [text, forbids, allows] of [
    ['bitcoin.tx.outputs[0].address == eth.tx.to', true, false],
    ['eth.tx.to == bitcoin.tx.outputs[0].address', true, false],
    ['eth.tx.to != bitcoin.tx.outputs[0].address', false, true],
    ['eth.tx.to == bitcoin.tx.outputs[1].address', false, false],
    ['eth.tx.to in [bitcoin.tx.outputs[0].address]', true, false],
  ] as const) {
    assert.deepEqual(evaluated(text, spelledScope, 'three_valued'), { value: forbids }, text);
    assert.deepEqual(evaluated(text, spelledScope, 'strict'), { value: allows }, text);
  }
});

test('a count between bounds compares like all numbers between them, or has no value', () => {
  const wallets = {
    wallets: [
      { id: 'a', imported: false },
      { id: 'b', imported: true },
    ],
  };
  // It is unknown which wallets are exported.
  const counts: readonly (readonly [string, readonly number[]])[] = [
    ['0', [0]],
    ['1', [1]],
    ['2', [2]],
    ['3', [3]],
    ['wallets.filter(w, w.exported).count()', [0, 1, 2]],
    ['wallets.filter(w, w.imported || w.exported).count()', [1, 2]],
    ['wallets.filter(w, w.imported && w.exported).count()', [0, 1]],
    ['wallets.filter(w, w.imported).count()', [1]],
    ['[wallets[0].exported, true].count()', [2]],
  ];
  const holds: { readonly [operator: string]: (a: number, b: number) => boolean } = {
    '==': (a, b) => a === b,
    '!=': (a, b) => a !== b,
    '<': (a, b) => a < b,
    '<=': (a, b) => a <= b,
    '>': (a, b) => a > b,
    '>=': (a, b) => a >= b,
  };
  for (const [left, as] of counts) {
    for (const [right, bs] of counts) {
      for (const [operator, isSo] of Object.entries(holds)) {
        const text = `${left} ${operator} ${right}`;
        const [first, ...others] = new Set(as.flatMap((a) => bs.map((b) => isSo(a, b))));
        const outcome = evaluated(text, wallets, 'three_valued');
        const found = 'value' in outcome ? outcome.value : outcome.failure.code;
        assert.equal(found, others.length === 0 ? first : 'member_missing', text);
      }
    }
  }
});

function evaluated(text: string, facts: Scope, logic: Logic = 'strict') {
  return compileClause('condition', text).evaluate(facts, undefined, logic);
}

function resultOf(text: string): Expected | string {
  try {
    const outcome = compileClause('condition', text).evaluate(scope);
    return 'value' in outcome ? outcome.value : outcome.failure.code;
  } catch (error) {
    assert.ok(error instanceof ExpressionError, String(error));
    return 'refused';
  }
}
