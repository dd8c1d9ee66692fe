// Parses tokens into a tree of bounded depth.
//
//   expression = and-chain { "||" and-chain }
//   and-chain  = comparison { "&&" comparison }
//   comparison = unary [ operator unary ]            (does not chain)
//   unary      = { "!" } postfix
//   postfix    = primary { "." name | "." name "(" … ")" | "[" … "]" }

import { endsStep, finish, type StepCounter, type Steps } from '../../base/steps.ts';
import type {
  ComparisonOperator,
  Expression,
  FunctionName,
  LambdaName,
  MethodName,
} from './ast.ts';
import { maximumListElements, maximumNesting } from './bounds.ts';
import { ExpressionError } from './expression_error.ts';
import { shownWords, type Token, tokensInSteps } from './lexer.ts';

/** Parses a text. Raises `ExpressionError`. */
export function parse(text: string): Expression {
  return finish(parseInSteps(text));
}

/** Like `parse`, in steps. */
export function* parseInSteps(text: string): Steps<Expression> {
  return yield* parseTokens(yield* tokensInSteps(text));
}

function* parseTokens(tokens: readonly Token[]): Steps<Expression> {
  const cursor: TokenCursor = { steps: 0, tokens, at: 0, open: 0, heights: new Map() };
  const expression = yield* parseExpression(cursor);
  if (tokenAt(cursor).kind !== 'end') refuseToken(cursor, 'an operator or the end of the text');
  return expression;
}

type TokenCursor = StepCounter & {
  readonly tokens: readonly Token[];
  at: number;
  /** Number of open parentheses, brackets and `!`. */
  open: number;
  /** The height of each node. */
  readonly heights: Map<Expression, number>;
};

const comparisonOperators: ReadonlySet<string> = new Set<ComparisonOperator>([
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
]);
const lambdaNames: ReadonlySet<string> = new Set<LambdaName>(['all', 'any', 'filter']);
const methodNames: ReadonlySet<string> = new Set<MethodName>(['contains', 'count']);
const functionNames: ReadonlySet<string> = new Set<FunctionName>([
  'Timestamp',
  'CronSpan',
  'CaseInsensitiveString',
]);

const isComparisonOperator = (text: string): text is ComparisonOperator =>
  comparisonOperators.has(text);
const isLambdaName = (text: string): text is LambdaName => lambdaNames.has(text);
const isMethodName = (text: string): text is MethodName => methodNames.has(text);
/** Returns true if a name is reserved for a function. */
export const isFunctionName = (text: string): text is FunctionName => functionNames.has(text);

const parseExpression = (cursor: TokenCursor): Steps<Expression> =>
  parseChain(cursor, '||', 'or', parseConjunction);

const parseConjunction = (cursor: TokenCursor): Steps<Expression> =>
  parseChain(cursor, '&&', 'and', parseComparison);

function* parseChain(
  cursor: TokenCursor,
  symbol: '||' | '&&',
  kind: 'or' | 'and',
  parseOperand: (cursor: TokenCursor) => Steps<Expression>,
): Steps<Expression> {
  const first = yield* parseOperand(cursor);
  if (!isSymbol(cursor, symbol)) return first;
  const position = tokenAt(cursor).start;
  const operands = [first];
  while (take(cursor, symbol)) {
    if (endsStep(cursor)) yield;
    operands.push(yield* parseOperand(cursor));
  }
  return made(cursor, operands, { kind, operands, ...placeSince(cursor, first.start), position });
}

function* parseComparison(cursor: TokenCursor): Steps<Expression> {
  const left = yield* parseUnary(cursor);
  const { kind, text: operator, start: position } = tokenAt(cursor);
  if (kind !== 'symbol' || !isComparisonOperator(operator)) return left;
  cursor.at += 1;
  const right = yield* parseUnary(cursor);
  const next = tokenAt(cursor);
  if (next.kind === 'symbol' && isComparisonOperator(next.text)) {
    refuseToken(cursor, '`&&`, `||` or the end: comparisons do not chain');
  }
  const place = placeSince(cursor, left.start);
  return made(cursor, [left, right], {
    kind: 'comparison',
    operator,
    left,
    right,
    ...place,
    position,
  });
}

function* parseUnary(cursor: TokenCursor): Steps<Expression> {
  const { start } = tokenAt(cursor);
  if (!isSymbol(cursor, '!')) return yield* parsePostfix(cursor);
  const operand = yield* nested(cursor, () => parseUnary(cursor));
  return made(cursor, [operand], { kind: 'not', operand, ...placeSince(cursor, start) });
}

function* parsePostfix(cursor: TokenCursor): Steps<Expression> {
  let target = yield* parsePrimary(cursor);
  for (;;) {
    if (take(cursor, '.')) target = yield* parseMember(cursor, target);
    else if (isSymbol(cursor, '[')) target = yield* parseIndex(cursor, target);
    else return target;
  }
}

function* parseMember(cursor: TokenCursor, target: Expression): Steps<Expression> {
  const name = takeName(cursor, 'a name after the dot');
  const position = name.start;
  if (!isSymbol(cursor, '(')) {
    const place = placeSince(cursor, target.start);
    return made(cursor, [target], { kind: 'member', target, name: name.text, ...place, position });
  }
  if (isLambdaName(name.text)) return yield* parseLambda(cursor, target, name, name.text);
  if (!isMethodName(name.text)) {
    const expected = 'one of `all`, `any`, `filter`, `contains`, `count`';
    throw new ExpressionError('unknown function', position, expected, shownWords(name.text));
  }
  const items = yield* nested(cursor, () => parseItems(cursor, ')'));
  return made(cursor, [target, ...items], {
    kind: 'method',
    target,
    name: name.text,
    items,
    ...placeSince(cursor, target.start),
    position,
  });
}

function* parseLambda(
  cursor: TokenCursor,
  target: Expression,
  { start: position }: Token,
  name: LambdaName,
): Steps<Expression> {
  const [variable, predicate] = yield* nested(cursor, function* () {
    const token = takeName(cursor, 'the name of a variable');
    expectSymbol(cursor, ',');
    const body = yield* parseExpression(cursor);
    expectSymbol(cursor, ')');
    return [token, body] as const;
  });
  return made(cursor, [target, predicate], {
    kind: 'lambda',
    target,
    name,
    variable: variable.text,
    variablePosition: variable.start,
    predicate,
    ...placeSince(cursor, target.start),
    position,
  });
}

function* parseIndex(cursor: TokenCursor, target: Expression): Steps<Expression> {
  const position = tokenAt(cursor).start;
  const [from, to] = yield* nested(cursor, function* () {
    const first = yield* parseExpression(cursor);
    const second = take(cursor, '..') ? yield* parseExpression(cursor) : undefined;
    expectSymbol(cursor, ']');
    return [first, second];
  });
  const place = { ...placeSince(cursor, target.start), position };
  return to === undefined
    ? made(cursor, [target, from], { kind: 'index', target, index: from, ...place })
    : made(cursor, [target, from, to], { kind: 'slice', target, from, to, ...place });
}

function* parsePrimary(cursor: TokenCursor): Steps<Expression> {
  const token = tokenAt(cursor);
  const { kind, text, start, end } = token;
  const place = { start, end, position: start };
  if (kind === 'symbol' && text === '(') {
    return yield* nested(cursor, function* () {
      const inner = yield* parseExpression(cursor);
      expectSymbol(cursor, ')');
      return inner;
    });
  }
  if (kind === 'symbol' && text === '[') {
    const items = yield* nested(cursor, () => parseItems(cursor, ']'));
    return made(cursor, items, { kind: 'list', items, ...placeSince(cursor, start) });
  }
  if (kind === 'end' || (kind === 'symbol' && text !== 'true' && text !== 'false')) {
    refuseToken(cursor, 'an expression');
  }
  cursor.at += 1;
  if (kind === 'integer') {
    return made(cursor, [], { kind: 'integer', value: BigInt(text), ...place });
  }
  if (kind === 'text') return made(cursor, [], { kind: 'text', value: text, ...place });
  if (kind === 'symbol') {
    return made(cursor, [], { kind: 'boolean', value: text === 'true', ...place });
  }
  if (!isFunctionName(text)) return made(cursor, [], { kind: 'name', name: text, ...place });
  if (!isSymbol(cursor, '(')) refuseToken(cursor, '`(`');
  const items = yield* nested(cursor, () => parseItems(cursor, ')'));
  return made(cursor, items, {
    kind: 'function',
    name: text,
    items,
    ...placeSince(cursor, start),
  });
}

/** Parses expressions between commas, up to and including the closing symbol. */
function* parseItems(cursor: TokenCursor, close: ')' | ']'): Steps<readonly Expression[]> {
  const items: Expression[] = [];
  if (take(cursor, close)) return items;
  do {
    if (items.length === maximumListElements) {
      const expected = `at most ${maximumListElements} elements`;
      throw new ExpressionError('list too long', tokenAt(cursor).start, expected, 'one more');
    }
    items.push(yield* parseExpression(cursor));
    if (endsStep(cursor)) yield;
  } while (take(cursor, ','));
  expectSymbol(cursor, close);
  return items;
}

/** Takes the opening symbol and parses the inside. Rejects too deep nesting. */
function* nested<Part>(cursor: TokenCursor, parseInside: () => Steps<Part>): Steps<Part> {
  if (cursor.open === maximumNesting) refuseDepth(tokenAt(cursor).start);
  cursor.open += 1;
  cursor.at += 1;
  const inside = yield* parseInside();
  cursor.open -= 1;
  return inside;
}

/** Returns a finished node. Rejects a tree that is too high, because functions that walk trees recurse. */
function made(cursor: TokenCursor, children: readonly Expression[], node: Expression): Expression {
  let height = 1;
  for (const child of children) height = Math.max(height, (cursor.heights.get(child) ?? 0) + 1);
  if (height > maximumNesting) refuseDepth(node.position);
  cursor.heights.set(node, height);
  return Object.freeze(node);
}

function refuseDepth(position: number): never {
  const expected = `at most ${maximumNesting} levels`;
  throw new ExpressionError('expression too deep', position, expected, 'one more');
}

/** The range from a start to the token before the cursor; messages point at the start. */
function placeSince(cursor: TokenCursor, start: number) {
  return { start, end: cursor.tokens[cursor.at - 1]?.end ?? start, position: start };
}

function tokenAt(cursor: TokenCursor): Token {
  return cursor.tokens[cursor.at] ?? { kind: 'end', text: '', start: 0, end: 0 };
}

function isSymbol(cursor: TokenCursor, symbol: string): boolean {
  const token = tokenAt(cursor);
  return token.kind === 'symbol' && token.text === symbol;
}

function take(cursor: TokenCursor, symbol: string): boolean {
  if (!isSymbol(cursor, symbol)) return false;
  cursor.at += 1;
  return true;
}

function expectSymbol(cursor: TokenCursor, symbol: string): void {
  if (!take(cursor, symbol)) refuseToken(cursor, `\`${symbol}\``);
}

function takeName(cursor: TokenCursor, expected: string): Token {
  const token = tokenAt(cursor);
  if (token.kind !== 'name') refuseToken(cursor, expected);
  cursor.at += 1;
  return token;
}

function refuseToken(cursor: TokenCursor, expected: string): never {
  const { kind, text, start } = tokenAt(cursor);
  if (kind === 'end') {
    throw new ExpressionError(
      'parse error: Unrecognized EOF found',
      start,
      expected,
      'the end of the text',
    );
  }
  const found = shownWords(kind === 'text' ? `'${text}'` : text);
  throw new ExpressionError('parse error: Unrecognized token found', start, expected, found);
}
