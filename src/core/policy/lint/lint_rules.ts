// Rules for one clause. Each returns the positions of probable mistakes.

import {
  activityActions,
  activityKinds,
  activityResources,
  canShow,
  kindOfType,
} from '../activity_kinds.ts';
import type { CheckedExpression } from '../language/ast.ts';
import type { Clause } from '../language/clause.ts';
import {
  type Comparison,
  comparisons,
  conjuncts,
  type Demand,
  demands,
  demandsOf,
  type Literal,
  type NeededName,
  namedAlternatives,
  neededNames,
} from './lint_analysis.ts';
import { type Checksum, storedFormProblem } from './stored_forms.ts';

export type ClauseWarning = { readonly position: number; readonly message: string };

export const clauseRules = {
  never_true: ({ expression }: Clause) =>
    conjuncts(expression)
      .filter((conjunct) => conjunct.kind === 'boolean' && !conjunct.value)
      .map(({ position }) => ({ position, message: 'never holds: it contains `false`' })),

  contradicting_values: ({ expression }: Clause) => {
    const groups = Map.groupBy(demandsOf(expression), ({ subject }) => subject);
    return [...groups].flatMap(([subject, [first, ...others]]) => {
      const allowed = new Set(first?.literals.map(spellingOf));
      const contrary = others.find(
        ({ literals }) => !literals.some((literal) => allowed.has(spellingOf(literal))),
      );
      const position = contrary?.literals[0]?.position;
      if (position === undefined) return [];
      return [{ position, message: `never holds: \`${subject}\` cannot have two values at once` }];
    });
  },

  spelling_never_stored: ofComparisons(({ key, literals }, checksum) =>
    literals.flatMap((literal) => {
      const problem = storedFormProblem(key, literal, checksum);
      return problem === undefined
        ? []
        : [{ position: literal.position, message: `is never equal: ${problem}` }];
    }),
  ),

  slice_length_differs: ofComparisons(({ subject, literals }) => {
    const length = lengthOfSlice(subject);
    return literals.flatMap((literal) => {
      if (length === undefined || literal.kind !== 'text') return [];
      const characters = BigInt([...literal.value].length);
      if (characters === length) return [];
      const message = `is never equal: ${characters} characters beside a slice of ${length}`;
      return [{ position: literal.position, message }];
    });
  }),
} satisfies Record<string, ClauseRule>;

export const conditionRules = {
  unknown_activity_name: ofComparisons(({ key, literals }) =>
    literals.flatMap((literal) => {
      const isKnown = activityNames[key];
      if (isKnown === undefined || literal.kind !== 'text' || isKnown(literal.value)) return [];
      const what = key.slice(key.indexOf('.') + 1);
      return [
        {
          position: literal.position,
          message: `no activity has the ${what} \`${literal.value}\``,
        },
      ];
    }),
  ),

  no_such_activity: ({ expression }: Clause) => {
    const about = knownDemandsOf(expression);
    if (kindsOf(expression).length > 0 || about.length < 2) return [];
    // Another rule reports two values for the same member.
    if (new Set(about.map(({ key }) => key)).size < 2) return [];
    const position = about.at(-1)?.literals[0]?.position ?? 0;
    return [{ position, message: 'never holds: no activity has all of these at once' }];
  },

  names_never_together: ({ expression }: Clause) => {
    const found = namedAlternatives(expression).flatMap(({ names }) => {
      const [missing, ...before] = namesUpToMissing(activityKinds, names);
      if (missing === undefined) return [];
      const other = before.find((name) => !areShownBy(activityKinds, [name, missing])) ?? before[0];
      const beside = other === undefined ? '' : ` together with \`${spelled(other)}\``;
      const message = `\`${spelled(missing)}\` is never there${beside}: what needs both never holds`;
      return [[missing.position, message] as const];
    });
    return [...new Map(found)].map(([position, message]) => ({ position, message }));
  },

  name_not_of_activity: ({ expression }: Clause) => {
    const names = neededNames(expression);
    const kinds = kindsOf(expression);
    // Other rules report problems of names or kinds alone.
    if (kinds.length === 0 || !areShownBy(activityKinds, names)) return [];
    const [missing] = namesUpToMissing(kinds, names);
    if (missing === undefined) return [];
    const message = `never holds: \`${spelled(missing)}\` is not there for these activities`;
    return [{ position: missing.position, message }];
  },

  number_may_be_text: ofComparisons(({ key, literals }) =>
    key.startsWith('Eip712TypedData.message[]')
      ? literals
          .filter(({ kind }) => kind === 'integer')
          .map(({ position }) => ({
            position,
            message:
              'fails if the client writes the number as a string, as many do: compare it as text, or make clients write numbers',
          }))
      : [],
  ),
} satisfies Record<string, ClauseRule>;

/** A rule for one clause; `ofComparison` checks one comparison, if the rule checks nothing else. */
export type ClauseRule = ((clause: Clause, checksum?: Checksum) => readonly ClauseWarning[]) & {
  readonly ofComparison?: OfComparison;
};

type OfComparison = (comparison: Comparison, checksum?: Checksum) => readonly ClauseWarning[];

/** Makes a rule that checks each comparison. */
function ofComparisons(ofComparison: OfComparison): ClauseRule {
  const rule = ({ expression }: Clause, checksum?: Checksum) =>
    comparisons(expression).flatMap((comparison) => ofComparison(comparison, checksum));
  return Object.assign(rule, { ofComparison });
}

const fittingKinds = new WeakMap<CheckedExpression, typeof activityKinds>();

/** Returns the kinds of activity that satisfy the requirements of a whole condition on `activity`. */
export function kindsOf(expression: CheckedExpression): typeof activityKinds {
  return fittingKinds.getOrInsertComputed(expression, () =>
    kindsThatMeet(knownDemandsOf(expression)),
  );
}

/** Returns the kinds of activity that satisfy the requirements of parts on `activity`. */
export function kindsThatFit(parts: readonly CheckedExpression[]): typeof activityKinds {
  return kindsThatMeet(knownDemands(parts));
}

function kindsThatMeet(about: readonly Demand[]): typeof activityKinds {
  const isNamed = about.some(({ key }) => key === 'Activity.type' || key === 'Activity.kind');
  return activityKinds.filter((kind) => {
    // A kind without a published resource counts only if the condition names it.
    if (kind.resource === undefined && !isNamed && about.length > 0) return false;
    return about.every(({ key, literals }) =>
      literals.some((literal) => literal.kind === 'text' && isOf(kind, key, literal.value)),
    );
  });
}

/** The texts with which an expression compares the type or kind of an activity. */
export function activityTexts(expression: CheckedExpression): readonly string[] {
  return comparisons(expression)
    .filter(({ key }) => key === 'Activity.type' || key === 'Activity.kind')
    .flatMap(({ literals }) => literals.flatMap((one) => (one.kind === 'text' ? one.value : [])));
}

const kindNames: ReadonlySet<string> = new Set(activityKinds.map(({ name }) => name));

/** For each member of an activity, whether a value is known. */
const activityNames: Readonly<Record<string, (value: string) => boolean>> = {
  'Activity.type': (value) => kindNames.has(kindOfType(value) ?? ''),
  'Activity.kind': (value) => kindNames.has(value),
  'Activity.resource': (value) => activityResources.has(value),
  'Activity.action': (value) => activityActions.has(value),
};

/** Returns the requirements on the activity with known values; another rule reports unknown values. */
export function knownDemands(parts: readonly CheckedExpression[]): readonly Demand[] {
  return knownOf(demands(parts));
}

function knownDemandsOf(expression: CheckedExpression): readonly Demand[] {
  return knownOf(demandsOf(expression));
}

function knownOf(all: readonly Demand[]): readonly Demand[] {
  return all.flatMap((demand) => {
    const isKnown = activityNames[demand.key];
    if (isKnown === undefined) return [];
    // Removes duplicates, since a list may repeat a value a thousand times and each is compared with each
    // kind.
    const known = new Map<string, Literal>();
    for (const one of demand.literals) {
      if (one.kind !== 'text' || known.has(one.value) || !isKnown(one.value)) continue;
      known.set(one.value, one);
    }
    return known.size === 0 ? [] : [{ ...demand, literals: [...known.values()] }];
  });
}

function isOf(kind: (typeof activityKinds)[number], key: string, value: string): boolean {
  switch (key) {
    case 'Activity.type':
      return kindOfType(value) === kind.name;
    case 'Activity.kind':
      return value === kind.name;
    case 'Activity.resource':
      return kind.resource === undefined || kind.resource === value;
    default:
      return kind.action === undefined || kind.action === value;
  }
}

/** Returns true if an activity of one of the kinds can have all the names at once. */
export function areShownBy(kinds: typeof activityKinds, names: readonly NeededName[]): boolean {
  const required = names.map(({ name }) => name);
  return kinds.some(({ name }) => canShow(name, required));
}

/**
 * Returns the first name that no activity has together with the names before it, followed by those names; or
 * nothing.
 */
export function namesUpToMissing(
  kinds: typeof activityKinds,
  names: readonly NeededName[],
): readonly NeededName[] {
  const before: string[] = [];
  let left = kinds;
  for (const [i, missing] of names.entries()) {
    before.push(missing.name);
    left = left.filter(({ name }) => canShow(name, before));
    if (left.length === 0) return [missing, ...names.slice(0, i)];
  }
  return [];
}

/** Returns a name in the form of expressions. */
export function spelled({ name }: NeededName): string {
  return name.startsWith('params.') ? `activity.${name}` : name;
}

// Ignores letter case, because some names are compared without it.
function spellingOf({ value }: Literal): string {
  return typeof value === 'string' ? `'${value.toLowerCase()}` : String(value);
}

function lengthOfSlice(node: CheckedExpression): bigint | undefined {
  if (node.kind !== 'slice' || node.type.kind === 'list') return undefined;
  const { from, to } = node;
  return from.kind === 'integer' && to.kind === 'integer' ? to.value - from.value : undefined;
}
