import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Tree } from '../../../../src/core/policy/language/ast.ts';
import { compileClause } from '../../../../src/core/policy/language/clause.ts';
import { parse } from '../../../../src/core/policy/language/parser.ts';
import { print } from '../../../../src/core/policy/language/printer.ts';

type Node = Tree<object>;

test('a printed expression parses to the same tree, and prints the same', () => {
  fc.assert(
    fc.property(tree, (expression) => {
      const text = print(expression);
      const parsed = parse(text);
      assert.deepEqual(withoutPlaces(parsed), withoutPlaces(expression));
      assert.equal(print(parsed), text);
    }),
    { numRuns: 3_000, seed: 20_260_301 },
  );
});

test('only necessary parentheses are printed', () => {
  for (const [text, expected] of [
    ['((true))', 'true'],
    ['(a && b) || (c && d)', 'a && b || c && d'],
    ['(a || b) && (c || d)', '(a || b) && (c || d)'],
    ['a && (b && c)', 'a && (b && c)'],
    ['!(a == b)', '!(a == b)'],
    ['(!a) == b', '!a == b'],
    ['!(!(a))', '!!a'],
    ['!(a.b[0].c(1..2))', undefined],
    ['((a).b)[(0)..(1)]', 'a.b[0..1]'],
    ['(a == b) == (c in [d])', '(a == b) == (c in [d])'],
    ['(a in b).count()', '(a in b).count()'],
    ['x.all( y , (y == -07) )', 'x.all(y, y == -7)'],
    [' [ ] ', '[]'],
  ] as const) {
    if (expected === undefined) assert.throws(() => parse(text));
    else assert.equal(print(parse(text)), expected);
  }
});

test('a clause has one canonical text', () => {
  const clause = compileClause('condition', "( eth.tx.to=='0x1' )&&\n!( wallet.imported )");
  assert.equal(print(clause.expression), "eth.tx.to == '0x1' && !wallet.imported");
});

/** Trees of every kind, most of them meaningless. */
const { tree } = fc.letrec<{ tree: Node; leaf: Node }>((tie) => {
  const name = fc.constantFrom('a', 'b', 'wallet', 'user_1', '_x');
  const items = fc.array(tie('tree'), { maxLength: 3 });
  const operands = fc.array(tie('tree'), { minLength: 2, maxLength: 3 });
  const leaf: fc.Arbitrary<Node> = fc.oneof(
    fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean() }),
    fc.record({
      kind: fc.constant('integer' as const),
      value: fc.bigInt({ min: -99n, max: 2n ** 256n - 1n }),
    }),
    fc.record({
      kind: fc.constant('text' as const),
      value: fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll("'", '"')),
    }),
    fc.record({ kind: fc.constant('name' as const), name }),
  );
  return {
    leaf,
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.record({ kind: fc.constant('list' as const), items }),
      fc.record({ kind: fc.constant('member' as const), target: tie('tree'), name }),
      fc.record({
        kind: fc.constant('method' as const),
        target: tie('tree'),
        name: fc.constantFrom('contains' as const, 'count' as const),
        items,
      }),
      fc.record({
        kind: fc.constant('lambda' as const),
        target: tie('tree'),
        name: fc.constantFrom('all' as const, 'any' as const, 'filter' as const),
        variable: name,
        predicate: tie('tree'),
      }),
      fc.record({ kind: fc.constant('index' as const), target: tie('tree'), index: tie('tree') }),
      fc.record({
        kind: fc.constant('slice' as const),
        target: tie('tree'),
        from: tie('tree'),
        to: tie('tree'),
      }),
      fc.record({
        kind: fc.constant('function' as const),
        name: fc.constantFrom('Timestamp' as const, 'CronSpan' as const),
        items,
      }),
      fc.record({ kind: fc.constant('not' as const), operand: tie('tree') }),
      fc.record({
        kind: fc.constant('comparison' as const),
        operator: fc.constantFrom('==' as const, '<=' as const, 'in' as const),
        left: tie('tree'),
        right: tie('tree'),
      }),
      fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), operands }),
    ) as fc.Arbitrary<Node>,
  };
});

/** Returns a tree in the form of the generator: without positions, and with ordinary prototypes. */
function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  const places = ['start', 'end', 'position', 'variablePosition'];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !places.includes(name))
      .map(([name, inner]) => [name, withoutPlaces(inner)]),
  );
}
