// Rules about the alternatives of a condition: cases that a `||` leaves open or never reaches.

import { activityKinds, canShow, kindOfType, typesOfKind } from '../activity_kinds.ts';
import { authorityRuleOf, giveAlike } from '../decision/authority.ts';
import type { Clause } from '../language/clause.ts';
import { type NamedAlternative, namedAlternatives, neededNames } from './lint_analysis.ts';
import {
  areShownBy,
  type ClauseWarning,
  kindsThatFit,
  knownDemands,
  namesUpToMissing,
  spelled,
} from './lint_rules.ts';

/** Finds the first alternative of an ALLOW whose requests lack a name that another alternative reads. */
export function alternativesApart({ expression }: Clause): readonly ClauseWarning[] {
  const alternatives = namedAlternatives(expression);
  if (alternatives.length < 2) return [];
  const all = neededNames(expression);
  for (const { parts, names: own } of alternatives) {
    const kinds = kindsThatFit(parts);
    // Other rules report problems inside one alternative.
    if (!areShownBy(kinds, own)) continue;
    const read = new Set(own.map(({ name }) => name));
    const others = all.filter(({ name }) => !read.has(name));
    const [missing] = namesUpToMissing(kinds, [...own, ...others]);
    if (missing === undefined) continue;
    const message = `requests of one alternative do not have \`${spelled(missing)}\`, so this ALLOW never holds for them: write a policy for each alternative`;
    return [{ position: missing.position, message }];
  }
  return [];
}

/** Finds each place where a DENY names types but omits others of the same resource and action. */
export function denyOfOneType({ expression }: Clause): readonly ClauseWarning[] {
  const alternatives = namedAlternatives(expression).map(described);
  const covered = new Set(alternatives.flatMap((alternative) => alternative.covers));
  const found = alternatives.flatMap(({ types, position, names }) => {
    const open = [...new Set(types.flatMap((type) => typesBeside(type, names)))];
    const [first, ...others] = open.filter((type) => !covered.has(type));
    return first === undefined ? [] : [[position, leftOpen(types, [first, ...others])] as const];
  });
  return [...new Map(found)].map(([position, message]) => ({ position, message }));
}

type Alternative = {
  /** The types that it requires. */
  readonly types: readonly string[];
  /** The activity types that it mentions. */
  readonly covers: readonly string[];
  readonly names: readonly string[];
  readonly position: number;
};

function described({ parts, names }: NamedAlternative): Alternative {
  const about = knownDemands(parts);
  const literals = about
    .filter(({ key }) => key === 'Activity.type')
    .flatMap((demand) => demand.literals);
  const types = literals.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const kinds = about.length === 0 ? [] : kindsThatFit(parts);
  return {
    types,
    covers: types.length > 0 ? types : kinds.flatMap(({ name }) => typesOfKind(name)),
    names: names.map(({ name }) => name),
    position: literals[0]?.position ?? 0,
  };
}

/** Returns the served types of the same resource and action that can have the names, same kind first. */
function typesBeside(type: string, names: readonly string[]): readonly string[] {
  const kind = activityKinds.find(({ name }) => name === kindOfType(type));
  if (kind?.resource === undefined) return [];
  return activityKinds
    .filter(({ resource, action }) => resource === kind.resource && action === kind.action)
    .filter(
      ({ name }) =>
        giveAlike(name, kind.name) && canShow(name, names) && authorityRuleOf(name) !== undefined,
    )
    .sort((a, b) => Number(b === kind) - Number(a === kind))
    .flatMap(({ name }) => typesOfKind(name));
}

const maximumNamed = 6;

function leftOpen(types: readonly string[], open: readonly string[]): string {
  const named = open.slice(0, maximumNamed).map((type) => `\`${type}\``);
  const more = open.length > maximumNamed ? ` and ${open.length - maximumNamed} more` : '';
  const kind = activityKinds.find(({ name }) => name === kindOfType(types[0] ?? ''));
  const wide = `\`activity.resource == '${kind?.resource}' && activity.action == '${kind?.action}'\``;
  return `does not deny ${named.join(', ')}${more}, which have the same or a similar effect: write ${wide} instead, or \`activity.kind\` for all versions of one kind`;
}
