// Selectors, the form of policies before expressions: each compares a subject with targets. All selectors
// must hold.

import { namesOf, table } from '../base/table.ts';
import { failField } from '../errors/errors.ts';
import { compileClause, ExpressionError } from './language/clause.ts';

/** A selector. In the first version it has exactly one target. */
export type Selector = {
  readonly subject: string;
  readonly operator: SelectorOperator;
  readonly targets: readonly string[];
};

/** Bounds of selectors. They are parsed before the sender is authenticated. */
export const selectorLimits = {
  selectors: 10,
  subjectCharacters: 200,
  targets: 20,
  targetCharacters: 200,
} as const;

type OperatorRow = {
  readonly targets: 'one' | 'some';
  /** Returns the expression; `targets` are literals of the policy language. */
  readonly write: (subject: string, targets: readonly string[]) => string;
};

const operators = table<OperatorRow>()({
  OPERATOR_EQUAL: comparison('=='),
  OPERATOR_NOT_EQUAL: comparison('!='),
  OPERATOR_MORE_THAN: comparison('>'),
  OPERATOR_MORE_THAN_OR_EQUAL: comparison('>='),
  OPERATOR_LESS_THAN: comparison('<'),
  OPERATOR_LESS_THAN_OR_EQUAL: comparison('<='),
  OPERATOR_CONTAINS: { targets: 'one', write: contains('&&') },
  OPERATOR_CONTAINS_ONE: { targets: 'some', write: contains('||') },
  OPERATOR_CONTAINS_ALL: { targets: 'some', write: contains('&&') },
  OPERATOR_IN: { targets: 'some', write: isIn },
  OPERATOR_NOT_IN: {
    targets: 'some',
    write: (subject, targets) => `!(${isIn(subject, targets)})`,
  },
});

type SelectorOperator = keyof typeof operators;
export const selectorOperators = namesOf(operators);

/**
 * Converts selectors to equivalent clauses. A subject of a condition is a name of the policy language.
 * `user.id`, `user.tags` and similar subjects apply to one approver, who must match all of them. `field` is
 * the path of the list in the request. Raises `field_invalid` for selectors without an expression.
 */
export function clausesOfSelectors(
  selectors: readonly Selector[],
  field: string,
): { readonly condition?: string; readonly consensus?: string } {
  const condition: string[] = [];
  const ofUser: string[] = [];
  for (const [i, selector] of selectors.entries()) {
    const isOfUser = selector.subject.startsWith('user.');
    const part = expressionOf(selector, isOfUser, `${field}.${i}`);
    (isOfUser ? ofUser : condition).push(part);
  }
  return {
    ...(condition.length === 0 ? {} : { condition: condition.join(' && ') }),
    ...(ofUser.length === 0 ? {} : { consensus: ofApprover(ofUser.join(' && ')) }),
  };
}

/** Returns the expression with the form of targets that has the type of the subject. */
function expressionOf(selector: Selector, isOfUser: boolean, field: string): string {
  const { subject, operator, targets } = selector;
  if (!/^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/.test(subject)) {
    failField(`${field}.subject`, 'expected a name of the policy language');
  }
  if (operators[operator].targets === 'one' && targets.length !== 1) {
    failField(`${field}.targets`, `${operator} takes one target, got ${targets.length}`);
  }
  let refusal = 'no target can be written in the policy language';
  for (const literals of spellings(targets)) {
    const expression = operators[operator].write(subject, literals);
    try {
      if (isOfUser) compileClause('consensus', ofApprover(expression));
      else compileClause('condition', expression);
      return expression;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      refusal = error.message;
    }
  }
  return failField(field, `no expression of the policy language says this: ${refusal}`);
}

const ofApprover = (expression: string): string => `approvers.any(user, ${expression})`;

/** Yields the targets as numbers, booleans and texts, if they have such a form. */
function* spellings(targets: readonly string[]): Generator<readonly string[]> {
  const areBare = targets.every((target) => /^(?:-?[0-9]{1,78}|true|false)$/.test(target));
  if (areBare) yield targets;
  if (!targets.some((target) => target.includes("'"))) {
    yield targets.map((target) => `'${target}'`);
  }
}

function comparison(symbol: string): OperatorRow {
  return { targets: 'one', write: (subject, [target]) => `${subject} ${symbol} ${target}` };
}

function contains(joint: string): OperatorRow['write'] {
  return (subject, targets) => {
    const parts = targets.map((target) => `${subject}.contains(${target})`);
    return parts.length === 1 ? parts.join() : `(${parts.join(` ${joint} `)})`;
  };
}

function isIn(subject: string, targets: readonly string[]): string {
  return `${subject} in [${targets.join(', ')}]`;
}
