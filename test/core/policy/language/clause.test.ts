// Failures, their order and positions, functions, bounds, and the users that a consensus concerns.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ClauseName,
  compileClause,
  ExpressionError,
  mentions,
  newMeter,
} from '../../../../src/core/policy/language/clause.ts';
import {
  asciiLowerCase,
  caselessText,
  type FactValue,
  type Scope,
} from '../../../../src/core/policy/language/values.ts';

const map = (facts: { [name: string]: FactValue }) => new Map(Object.entries(facts));

/** Returns the value, or the code and position of the failure. */
function outcomeOf(text: string, scope: Scope = {}, clause: ClauseName = 'condition') {
  const outcome = compileClause(clause, text).evaluate(scope);
  if ('value' in outcome) return outcome.value;
  return `${outcome.failure.code} at ${outcome.failure.position}`;
}

function refusalOf(clause: ClauseName, text: string): ExpressionError {
  try {
    compileClause(clause, text);
  } catch (error) {
    assert.ok(error instanceof ExpressionError, String(error));
    return error;
  }
  return assert.fail(`accepted: ${text}`);
}

const refusals: readonly (readonly [ClauseName, string, number, RegExp])[] = [
  ['consensus', '', 0, /^parse error: Unrecognized EOF found at 0/],
  ['condition', ' ', 1, /^parse error: Unrecognized EOF found at 1/],
  ['condition', 'true true', 5, /Unrecognized token found at 5: .* found `true`/],
  ['condition', '(true', 5, /EOF found at 5: expected `\)`/],
  ['condition', 'true)', 4, /found `\)`/],
  ['condition', '1 < 2 < 3', 6, /comparisons do not chain/],
  ['condition', 'true == true in [true]', 13, /do not chain/],
  ['condition', `'é' == 'é' = 'x'`, 13, /Invalid token at 13/],
  ['condition', `'😀😀' == wallet.idx`, 21, /field does not exist: idx/],
  ['condition', `wallet.id == 'open`, 13, /closing `'`/],
  ['condition', `wallet.id == "a"`, 13, /found `"`/],
  ['condition', '\ud800', 0, /well-formed/],
  ['condition', `'ok' == '\udc00'`, 9, /well-formed/],
  ['condition', 'wallet.id[0..] == 1', 13, /expected an expression, found `\]`/],
  ['condition', '- 1 == 1', 0, /Invalid token/],
  ['condition', '1 + 1 == 2', 2, /Invalid token/],
  ['condition', 'true # no comments', 5, /Invalid token/],
  ['condition', 'TRUE', 0, /field does not exist: TRUE/],
  ['condition', 'wallet.in', 7, /a name after the dot/],
  ['condition', 'wallet.id.foo() == 1', 10, /unknown function/],
  ['condition', 'tag() == 1', 3, /expected an operator/],
  ['condition', 'CaseInsensitiveString == 1', 22, /expected `\(`/],
  ['condition', 'CaseInsensitiveString(1) == wallet.id', 22, /expected string, found int/],
  ['condition', `CaseInsensitiveString('a', 'b') == 'a'`, 0, /number of arguments/],
  ['condition', 'user.id == 1', 0, /field does not exist: user/],
  ['condition', 'organization.id == 1', 0, /field does not exist: organization/],
  ['condition', 'eth.tx.to.length == 1', 10, /field does not exist: length/],
  ['condition', 'activity.params.user_name == 1', 16, /field does not exist: user_name/],
  ['condition', 'activity.constructor == 1', 9, /field does not exist: constructor/],
  ['condition', 'eth.__proto__ == 1', 4, /field does not exist: __proto__/],
  ['condition', 'wallet', 0, /expected bool, found Wallet/],
  ['condition', 'eth.tx.value', 0, /expected bool, found int/],
  ['condition', `[1, 'a'].count() == 2`, 4, /expected int, found string/],
  ['condition', `wallet.id['a'] == 'a'`, 10, /expected int, found string/],
  ['condition', 'eth.tx.contract_call_args[0] == 1', 26, /expected string, found int/],
  ['condition', 'wallet[0] == 1', 0, /expected a list, a string or a map/],
  ['condition', 'wallet[0..1] == 1', 0, /expected a list or a string/],
  ['condition', 'wallet.id.count() == 1', 0, /expected a list, found string/],
  ['condition', 'wallets.count(1) == 1', 8, /number of arguments/],
  ['condition', 'wallets.contains() == true', 8, /number of arguments/],
  ['condition', `wallets.contains('a')`, 17, /expected bool, int, uint, string or timestamp/],
  ['condition', `wallet.id in 'abc'`, 13, /expected a list, found string/],
  ['condition', 'wallets.all(w, w.id)', 15, /expected bool, found string/],
  ['condition', 'wallets.all(true, true)', 12, /the name of a variable/],
  ['condition', 'wallets.all(w)', 13, /expected `,`/],
  ['condition', 'wallets.all(w, true) && w.id == 1', 24, /field does not exist: w/],
  ['condition', 'wallets.all(wallet, true)', 12, /name taken/],
  ['condition', 'wallets.all(approvers, true)', 12, /name taken/],
  ['condition', 'wallets.all(Timestamp, true)', 12, /name taken/],
  ['condition', 'wallets.all(w, wallets.any(w, true))', 27, /name taken/],
  ['condition', `eth.tx.value == ${2n ** 127n}`, 16, /expected int, found uint/],
  ['condition', `eth.tx.value in [1, ${2n ** 127n}]`, 16, /expected list<int>/],
  ['condition', `eth.tx.value == ${2n ** 256n}`, 16, /-2\^127 to 2\^256-1/],
  ['condition', `eth.tx.value == ${-(2n ** 127n) - 1n}`, 16, /-2\^127 to 2\^256-1/],
  ['condition', `eth.tx.value == ${'9'.repeat(100)}`, 16, /at most 256 bits/],
  ['condition', 'time.now == time.now', 0, /field does not exist: time/],
  ['condition', `CronSpan('* * * * *', '1h', 'UTC')`, 0, /in time only/],
  ['condition', 'approvers.count() == 1', 0, /field does not exist: approvers/],
  ['consensus', `activity.kind == 'X'`, 0, /field does not exist: activity/],
  [
    'consensus',
    `Timestamp('2026-03-01T00:00:00Z') == Timestamp('2026-03-01T00:00:00Z')`,
    0,
    /time only/,
  ],
  ['time', `activity.kind == 'X'`, 0, /field does not exist: activity/],
  ['time', 'approvers.count() == 1', 0, /field does not exist: approvers/],
  ['time', `time.now > Timestamp('2026-03-01')`, 21, /RFC 3339/],
  ['time', 'time.now > Timestamp(time.now)', 21, /expected string, found timestamp/],
  ['time', `time.now > Timestamp(['a'][0])`, 21, /in quotes/],
  ['time', `CronSpan('* * * * *', '1h')`, 0, /number of arguments/],
  ['time', `CronSpan('* * * *', '1h', 'UTC')`, 9, /five cron fields/],
  ['time', `CronSpan('* * * * *', '1h', 'Mars/Olympus')`, 28, /IANA time zone/],
];

for (const [clause, text, position, message] of refusals) {
  test(`refused in ${clause}: ${text.slice(0, 80)}`, () => {
    const error = refusalOf(clause, text);
    assert.match(error.message, message);
    assert.equal(error.position, position);
    assert.ok(error.expected !== '' && error.found !== '');
    assert.ok(error.message.isWellFormed());
  });
}

test('long words of the author are cut in messages', () => {
  for (const text of [`wallet.${'x'.repeat(5_000)}`, `true '${'é😀'.repeat(5_000)}'`]) {
    const { message } = refusalOf('condition', text);
    assert.ok(message.length < 500 && message.isWellFormed(), message);
  }
});

const ethereum: Scope = {
  eth: {
    tx: {
      to: caselessText('0xABcd'),
      data: '0xa9😀é',
      value: 2n ** 127n,
      nonce: 5n,
      contract_call_args: map({
        struct: { name: 'Ab' },
        text: 'Ab',
        list: [1n, 'a'],
        tuple: [[1n]],
        big: -(2n ** 127n) - 1n,
      }),
    },
  },
  wallet: { id: 'a', tags: 'no list' },
  private_key: { tags: 'no list', id: 5n },
  tempo: 5n,
};

const evaluations: readonly (readonly [string, boolean | string])[] = [
  // without short circuit
  [`true || solana.tx.recent_blockhash == ''`, 'namespace_absent at 8'],
  [`false && solana.tx.recent_blockhash == ''`, 'namespace_absent at 9'],
  // an absent namespace yields to every other failure, then the first one in the text counts
  [`solana.tx.recent_blockhash == '' || eth.tx.data[0..99] == ''`, 'index_out_of_range at 47'],
  [`eth.tx.data[0..99] == '' || solana.tx.recent_blockhash == ''`, 'index_out_of_range at 11'],
  [`tron.tx.data == '' || solana.tx.recent_blockhash == ''`, 'namespace_absent at 0'],
  [`eth.tx.from == '' || eth.tx.data[9] == ''`, 'member_missing at 7'],
  [`eth.tx.data[9] == eth.tx.from`, 'index_out_of_range at 11'],
  [`solana.tx.recent_blockhash == eth.tx.data[9]`, 'index_out_of_range at 41'],
  [`[1, 0].all(i, [1][i] == 1 && wallet.imported)`, 'index_out_of_range at 17'],
  [`[0, 1].all(i, wallet.imported || [1][i] == 1)`, 'member_missing at 21'],
  // kinds of absence
  [`eth.eip_712.primary_type == ''`, 'namespace_absent at 4'],
  [`bitcoin.tx.fee == 0`, 'namespace_absent at 0'],
  [`wallets.count() == 0`, 'namespace_absent at 0'],
  [`activity.kind == ''`, 'namespace_absent at 0'],
  [`wallet.label == ''`, 'member_missing at 7'],
  [`eth.tx.contract_call_args['none'] == 1`, 'key_missing at 25'],
  [`eth.tx.contract_call_args['text'].name == 1`, 'type_mismatch at 34'],
  [`eth.tx.contract_call_args['text'].count() == 1`, 'type_mismatch at 25'],
  [`eth.tx.contract_call_args['tuple']['a'] == 1`, 'type_mismatch at 34'],
  [`eth.tx.contract_call_args['text']['a'] == 1`, 'type_mismatch at 33'],
  [`eth.tx.contract_call_args['list'].all(x, x == 1)`, 'type_mismatch at 43'],
  [`1 in eth.tx.contract_call_args['list']`, 'type_mismatch at 2'],
  [`eth.tx.contract_call_args['big'] == 1`, 'number_out_of_range at 25'],
  [`eth.tx.value > 1`, 'number_out_of_range at 7'],
  [`eth.tx.contract_call_args['struct'].name == 'Ab'`, true],
  [`eth.tx.contract_call_args['struct'].constructor == 'Ab'`, 'member_missing at 36'],
  [`eth.tx.contract_call_args['none'].name == 'Ab'`, 'key_missing at 25'],
  [`eth.tx.contract_call_args[eth.tx.from] == 1`, 'member_missing at 33'],
  [`eth.tx.contract_call_args['list'][eth.tx.nonce] == 1`, 'index_out_of_range at 33'],
  [`eth.tx.contract_call_args['list'][eth.tx.contract_call_args['list'][0]] == 'a'`, true],
  [
    `eth.tx.contract_call_args['list'][eth.tx.contract_call_args['text']] == 1`,
    'type_mismatch at 33',
  ],
  [`eth.tx.contract_call_args['text'][0..1] == 'A'`, true],
  [`eth.tx.contract_call_args['list'][0..1].contains(1)`, true],
  [`eth.tx.contract_call_args['list'][eth.tx.value..1].count() == 1`, 'number_out_of_range at 41'],
  // facts of another type than in the table
  [`private_key.id == 'a'`, 'type_mismatch at 12'],
  [`private_key.tags.contains('a')`, 'type_mismatch at 12'],
  [`tempo.tx.nonce == 1`, 'type_mismatch at 0'],
  [`tempo.tx.calls[0].to == 'a'`, 'type_mismatch at 0'],
  // characters are code points; the end is excluded
  [`eth.tx.data[4] == '😀'`, true],
  [`eth.tx.data[4..6] == '😀é'`, true],
  [`eth.tx.data[5..6] == 'é'`, true],
  [`eth.tx.data[6..6] == ''`, true],
  [`eth.tx.data[0..0] == ''`, true],
  [`eth.tx.data[5..7] == ''`, 'index_out_of_range at 11'],
  [`eth.tx.data[6] == ''`, 'index_out_of_range at 11'],
  [`eth.tx.data[3..2] == ''`, 'index_out_of_range at 11'],
  [`eth.tx.data[-1] == ''`, 'index_out_of_range at 11'],
  [`eth.tx.data[-1..2] == ''`, 'index_out_of_range at 11'],
  [`eth.tx.data[${2n ** 127n - 1n}] == ''`, 'index_out_of_range at 11'],
  [`'abc'[eth.tx.nonce] == ''`, 'index_out_of_range at 5'],
  [`[1, 2, 3][1..3].contains(3)`, true],
  [`[1, 2, 3][1..3].count() == 2`, true],
  [`[1, 2, 3][3..3].count() == 0`, true],
  [`[1, 2, 3][2..4].count() == 0`, 'index_out_of_range at 9'],
  [`[1, 2, 3][3] == 0`, 'index_out_of_range at 9'],
  // letter case
  [`eth.tx.to == '0xaBCD'`, true],
  [`'0xaBCD' == eth.tx.to`, true],
  [`eth.tx.to != '0xaBCD'`, false],
  [`eth.tx.to[2..4] == 'ab'`, true],
  [`eth.tx.to[2..4] in ['x', 'aB']`, true],
  [`eth.tx.to in [eth.tx.to, '']`, true],
  [`eth.tx.contract_call_args['text'] == 'AB'`, false],
  [`CaseInsensitiveString(eth.tx.contract_call_args['text']) == 'ab'`, true],
  [`CaseInsensitiveString(eth.tx.to) == '0xABCD'`, false],
  [`CaseInsensitiveString('ÄK') == 'Äk'`, true],
  // lists
  [`[].all(x, false)`, true],
  [`[].any(x, true)`, false],
  [`[].filter(x, true).count() == 0`, true],
  [`[1, 2, 3].filter(x, x > 1).filter(y, y < 3).contains(2)`, true],
  [`[[1], [2, 3]].any(x, x.count() == 2)`, true],
  [`['a', 'b'].all(x, ['b', 'a'].any(y, x == y))`, true],
  [`[true, false].contains(false)`, true],
  [`[eth.tx.nonce, 6][0] == 5`, true],
  [`-0 == 0 && 007 == 7`, true],
  // white space
  [`true\t&&\r\n!false`, true],
];

for (const [text, expected] of evaluations) {
  test(`evaluates: ${text}`, () => {
    assert.equal(outcomeOf(text, ethereum), expected);
  });
}

test('aliases read the fact of the plain name', () => {
  const scope: Scope = {
    solana: {
      tx: {
        program_keys: ['b'],
        instructions: [{ parsed_instruction_data: { named_accounts: map({ owner: 'c' }) } }],
      },
    },
  };
  for (const text of [
    `solana.tx.top_level_program_keys[0] == 'b'`,
    `solana.tx.top_level_instructions.count() == 1`,
    `solana.tx.instructions[0].parsed_instruction_data.named_account['owner'] == 'c'`,
    `solana.tx.instructions[0].parsed_instruction_data.named_accounts['owner'] == 'c'`,
  ]) {
    assert.equal(outcomeOf(text, scope), true, text);
  }
});

test('uint has 256 bits, int has 128', () => {
  const withChain = (chain_id: bigint): Scope => ({ eth: { eip_712: { domain: { chain_id } } } });
  const chain = 'eth.eip_712.domain.chain_id';
  assert.equal(outcomeOf(`${chain} == ${2n ** 256n - 1n}`, withChain(2n ** 256n - 1n)), true);
  assert.equal(outcomeOf(`${chain} < ${2n ** 128n}`, withChain(3n)), true);
  assert.equal(outcomeOf(`${chain} > -1`, withChain(0n)), true);
  assert.equal(outcomeOf(`${chain} in [-1, ${2n ** 200n}]`, withChain(2n ** 200n)), true);
  assert.equal(outcomeOf(`[-1, ${2n ** 200n}].any(x, x == ${chain})`, withChain(2n ** 200n)), true);
  assert.equal(outcomeOf(`${chain} == 1`, withChain(2n ** 256n)), 'number_out_of_range at 19');
  assert.equal(outcomeOf(`${chain} == 1`, withChain(-1n)), 'number_out_of_range at 19');
});

test('times are read to the nanosecond, and only in UTC', () => {
  const now = (text: string) => ({ time: { now: BigInt(Date.parse(text)) * 1_000_000n } });
  for (const [text, holds] of [
    ['2026-03-01T00:00:00Z', true],
    ['2026-03-01T00:00:00z', true],
    ['2026-03-01t00:00:00+00:00', true],
    ['2026-03-01T00:00:00.000-00:00', true],
    ['2026-03-01T00:00:00.000000001Z', false],
  ] as const) {
    const outcome = outcomeOf(`time.now == Timestamp('${text}')`, now('2026-03-01'), 'time');
    assert.equal(outcome, holds, text);
  }
  for (const text of [
    '2026-03-01T00:00:00+01:00',
    '2026-03-01T00:00:00',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-03-32T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T00:60:00Z',
    '2026-03-01T00:00:60Z',
    '2026-03-01T00:00:00.Z',
    '2026-03-01T00:00:00.0000000001Z',
    '2026-03-01 00:00:00Z',
    ' 2026-03-01T00:00:00Z',
    '+002026-03-01T00:00:00Z',
    '',
  ]) {
    refusalOf('time', `time.now == Timestamp('${text}')`);
  }
  assert.equal(
    outcomeOf(`time.now > Timestamp('0000-01-01T00:00:00Z')`, now('1970'), 'time'),
    true,
  );
  assert.equal(
    outcomeOf(`time.now < Timestamp('9999-12-31T23:59:59Z')`, now('2024-02-29'), 'time'),
    true,
  );
});

test('bounds of the text', () => {
  const padded = (bytes: number) => `true${' '.repeat(bytes - 4)}`;
  assert.equal(outcomeOf(padded(131_072)), true);
  assert.match(refusalOf('condition', padded(131_073)).message, /too long/);
  assert.match(refusalOf('condition', `'${'é'.repeat(65_536)}' == 'x'`).message, /too long/);

  const allowlist = Array.from({ length: 1_500 }, (_, i) => `'0x${String(i).padStart(40, '0')}'`);
  const text = `eth.tx.to in [${allowlist.join(', ')}]`;
  assert.ok(text.length > 65_536);
  const to = caselessText(`0x${'1499'.padStart(40, '0')}`);
  assert.equal(outcomeOf(text, { eth: { tx: { to } } }), true);
  const chain = allowlist.slice(0, 1_000).map((address) => `eth.tx.to == ${address}`);
  assert.equal(outcomeOf(chain.join(' || '), { eth: { tx: { to } } }), false);
});

test('bounds of depth', () => {
  const wrapped = (open: string, close: string, levels: number, core = 'true') =>
    `${open.repeat(levels)}${core}${close.repeat(levels)}`;
  assert.equal(outcomeOf(wrapped('(', ')', 100)), true);
  assert.equal(outcomeOf(wrapped('!', '', 98)), true);
  for (const text of [
    wrapped('(', ')', 101),
    wrapped('(', '', 100_000, ''),
    wrapped('!', '', 100_000),
    wrapped('[', '', 100_000, ''),
    wrapped('wallet[', '', 10_000, ''),
    wrapped('x.all(x,', '', 10_000, ''),
    wrapped('CaseInsensitiveString(', '', 5_000, ''),
    `wallet${'.id'.repeat(40_000)}`,
    `wallet${'[0]'.repeat(40_000)}`,
    `wallet${'.count()'.repeat(10_000)}`,
    `${'('.repeat(60)}wallet${'.id'.repeat(60)}${').id'.repeat(60)}`,
  ]) {
    assert.match(refusalOf('condition', text).message, /too deep/, text.slice(0, 40));
  }
  // Chains count as wide, not as deep.
  assert.equal(outcomeOf(Array(20_000).fill('true').join('&&')), true);
});

test('bounds of lists and lambdas', () => {
  const numbers = (length: number) => `[${Array(length).fill('1').join(',')}]`;
  assert.equal(outcomeOf(`${numbers(10_000)}.count() == 10000`), true);
  assert.match(refusalOf('condition', `${numbers(10_001)}.count() == 1`).message, /list too long/);
  const lambdas = (depth: number) =>
    `${Array.from({ length: depth }, (_, i) => `[1].all(v${i}, `).join('')}true${')'.repeat(depth)}`;
  assert.equal(outcomeOf(lambdas(8)), true);
  assert.match(refusalOf('condition', lambdas(9)).message, /at most 8 lambdas/);
});

test('evaluation ends after a quarter of a million steps', () => {
  const keys = (length: number): Scope => ({
    solana: { tx: { account_keys: Array<string>(length).fill('k') } },
  });
  const all = 'solana.tx.account_keys';
  const square = `${all}.all(x, ${all}.all(y, x == y))`;
  assert.equal(outcomeOf(square, keys(250)), true);
  assert.equal(outcomeOf(square, keys(500)), 'step_limit at 23');
  assert.equal(outcomeOf(`${all}.all(x, x in ${all})`, keys(1_000)), 'step_limit at 23');
  assert.equal(
    outcomeOf(`${all}.all(x, ${all}[0..900].contains(x))`, keys(1_000)),
    'step_limit at 23',
  );
  assert.equal(
    outcomeOf(`${all}.all(x, ${all}.filter(y, true).count() > 0)`, keys(2_000)),
    'step_limit at 23',
  );
  const text: Scope = {
    eth: { tx: { data: 'é'.repeat(100_000) } },
    solana: { tx: { account_keys: Array<string>(1_000).fill('k') } },
  };
  assert.equal(
    outcomeOf(`${all}.all(x, eth.tx.data[99990..99991] == x)`, text),
    'step_limit at 23',
  );
  // Each evaluation has its own steps.
  const clause = compileClause('condition', square);
  for (let i = 0; i < 4; i += 1) assert.deepEqual(clause.evaluate(keys(200)), { value: true });
});

test('repeated reads of long texts take steps', () => {
  // Equal texts in different strings.
  const longText = () => ['x', 'y'.repeat(99_999)].join('');
  const facts: Scope = {
    eth: {
      eip_712: {
        message: new Map<string, FactValue>([
          ['keys', Array<string>(1_000).fill('k')],
          ['a', longText()],
          ['b', longText()],
          ['list', [longText()]],
          ['short', 'x'],
        ]),
      },
    },
  };
  const read = (name: string) => `eth.eip_712.message['${name}']`;
  const each = (predicate: string) => outcomeOf(`${read('keys')}.all(k, ${predicate})`, facts);
  assert.equal(each(`${read('a')} == ${read('b')}`), 'step_limit at 28');
  assert.equal(each(`${read('a')} in ${read('list')}`), 'step_limit at 28');
  assert.equal(each(`CaseInsensitiveString(${read('a')}) != k`), 'step_limit at 28');
  assert.equal(each(`${read('a')} == '${longText()}'`), 'step_limit at 28');
  const spelled = `CaseInsensitiveString(${read('a')})`;
  assert.equal(outcomeOf(`${spelled} == CaseInsensitiveString(${read('b')})`, facts), true);
  // Values of different lengths are compared in one step.
  assert.equal(each(`${read('a')} != ${read('short')}`), true);
  assert.equal(
    outcomeOf(`${read('a')} == ${read('b')} && ${read('a')} in ${read('list')}`, facts),
    true,
  );
});

test('a text costs its length in any encoding', () => {
  const stepsOf = (expression: string, text: string) => {
    const message = new Map<string, FactValue>([['a', text]]);
    const meter = newMeter();
    compileClause('condition', expression).evaluate({ eth: { eip_712: { message } } }, meter);
    return newMeter().steps - meter.steps;
  };
  const read = "eth.eip_712.message['a']";
  for (const character of ['a', 'A', 'é', '😀']) {
    const text = character.repeat(80_000);
    for (const expression of [
      `${read}[0..80000] == ''`,
      `${read}[79999] == ''`,
      `CaseInsensitiveString(${read}) == ''`,
    ]) {
      const steps = stepsOf(expression, text);
      assert(steps >= 10_000 && steps <= 20_100, `${expression} of ${character}: ${steps}`);
    }
  }
});

test('only ASCII letters are lower-cased', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 9_000, size: 'max' }), (text) => {
      assert.equal(
        asciiLowerCase(text),
        text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
      );
    }),
  );
});

test('a failed evaluation leaves no state behind', () => {
  const clause = compileClause('condition', `wallet.id == 'a'`);
  assert.ok('failure' in clause.evaluate({}));
  assert.deepEqual(clause.evaluate({ wallet: { id: 'a' } }), { value: true });
  assert.ok('failure' in clause.evaluate({}));
});

test('a consensus concerns the users that a predicate or a bare count selects', () => {
  const user = (id: string, ...tags: string[]): Scope => ({
    approvers: [{ id, tags, email: `${id}@example.com`, alias: '' }],
    credentials: [{ id: `${id}-key`, user_id: id, type: 'CREDENTIAL_TYPE_API_KEY_P256' }],
  });
  const a = user('a', 'signers');
  const b = user('b');
  for (const [text, concernsA, concernsB] of [
    [`approvers.any(u, u.id == 'a')`, true, false],
    [`approvers.all(u, u.id == 'a')`, true, false],
    [`!approvers.any(u, u.id == 'a')`, true, false],
    [`approvers.any(u, u.tags.contains('signers')) && approvers.any(u, u.id == 'b')`, true, true],
    [`approvers.any(u, u.tags.contains('nobody'))`, false, false],
    [`approvers.any(u, u.id == 'c' && u.tags.any(t, t == 'signers'))`, false, false],
    [`approvers.filter(u, u.tags.contains('signers')).count() >= 2`, true, false],
    [`approvers.filter(u, u.tags.contains('signers')).all(v, v.id == 'z')`, true, false],
    [`approvers.count() >= 2`, true, true],
    [`credentials.count() >= 2`, true, true],
    [`approvers[0..1].count() >= 2`, true, true],
    [`credentials.any(c, c.user_id == 'b')`, false, true],
    [`approvers[0].tags.count() == 5`, false, false],
    [`approvers[0].tags.any(t, t == 'signers')`, false, false],
    [`true`, false, false],
    // A clause that fails elsewhere still determines the users whose votes it reads.
    [`approvers[9].id == 'x' || approvers.any(u, u.id == 'a')`, true, false],
    [`approvers.any(u, u.id == 'a' && credentials[7].id == 'x')`, false, false],
  ] as const) {
    const clause = compileClause('consensus', text);
    assert.equal(mentions(clause, a), concernsA, `a: ${text}`);
    assert.equal(mentions(clause, b), concernsB, `b: ${text}`);
  }
});
