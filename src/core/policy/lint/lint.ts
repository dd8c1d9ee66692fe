// Warnings about policies that probably do not express their author's intention. They never reject a policy.
// docs/policy-language.md describes each code.

import type { PolicyEffect } from '../../base/enums.ts';
import { finishInParts } from '../../base/steps.ts';
import { namesOf } from '../../base/table.ts';
import { activityKinds, canShow } from '../activity_kinds.ts';
import type { Clause, ClauseName, Clauses } from '../language/clause.ts';
import { alternativesApart, denyOfOneType } from './lint_alternatives.ts';
import { comparisons, conjuncts, neededNames, readInSteps } from './lint_analysis.ts';
import {
  activityTexts,
  type ClauseRule,
  type ClauseWarning,
  clauseRules,
  conditionRules,
  kindsOf,
} from './lint_rules.ts';
import { type TransactionRule, transactionRules } from './lint_transactions.ts';
import type { Checksum } from './stored_forms.ts';

export type LintedPolicy = Clauses & { readonly effect: PolicyEffect };

export type Warning = {
  readonly code: WarningCode;
  readonly clause: ClauseName;
  /** Offset in bytes of the UTF-8 text of the clause. */
  readonly position: number;
  readonly message: string;
};

type WarningCode =
  | keyof typeof clauseRules
  | keyof typeof conditionRules
  | keyof typeof transactionRules
  | keyof typeof policyRules
  | keyof typeof setRules;

/** A warning about one of several policies; `index` is the policy's index. */
export type SetWarning = Warning & { readonly index: number };

/** Maximum number of warnings for one policy. */
export const maximumWarnings = 50;

/**
 * Returns warnings about one policy, in the order of its clauses. Without `checksum`, the letter case of
 * Ethereum addresses is not checked.
 */
export function lintPolicy(
  policy: LintedPolicy,
  checksum: Checksum | undefined,
): readonly Warning[] {
  return [...warningsByRule(policy, checksum)].flat().slice(0, maximumWarnings);
}

/** Like `lintPolicy`, with a pause after each rule. */
export async function lintPolicyInParts(
  policy: LintedPolicy,
  checksum: Checksum | undefined,
  pause: () => Promise<void>,
): Promise<readonly Warning[]> {
  const warnings: Warning[] = [];
  for (const clause of [policy.condition, policy.consensus, policy.time]) {
    if (clause !== undefined) await finishInParts(readInSteps(clause.expression), pause);
  }
  for (const some of warningsByRule(policy, checksum)) {
    warnings.push(...some);
    await pause();
  }
  return warnings.slice(0, maximumWarnings);
}

/** Number of comparisons that a rule checks in one step. */
const comparisonsOfStep = 256;

/** Yields the warnings of a rule, in steps if the clause has many comparisons. */
function* warningsOfRule(
  rule: ClauseRule,
  clause: Clause,
  checksum?: Checksum,
): Generator<readonly ClauseWarning[]> {
  const { ofComparison } = rule;
  if (ofComparison === undefined) return yield rule(clause, checksum);
  const all = comparisons(clause.expression);
  for (let from = 0; from < all.length; from += comparisonsOfStep) {
    const some = all.slice(from, from + comparisonsOfStep);
    yield some.flatMap((comparison) => ofComparison(comparison, checksum));
  }
}

/** Yields the warnings of each rule in turn. */
function* warningsByRule(
  policy: LintedPolicy,
  checksum: Checksum | undefined,
): Generator<readonly Warning[]> {
  for (const clause of [policy.condition, policy.consensus, policy.time]) {
    if (clause === undefined) continue;
    for (const [code, rule] of entriesOf<keyof typeof clauseRules, ClauseRule>(clauseRules)) {
      for (const found of warningsOfRule(rule, clause, checksum)) {
        yield found.map((warning) => ({ code, clause: clause.clause, ...warning }));
      }
    }
  }
  if (policy.condition !== undefined) {
    for (const [code, rule] of entriesOf<keyof typeof conditionRules, ClauseRule>(conditionRules)) {
      for (const found of warningsOfRule(rule, policy.condition)) {
        yield found.map((warning) => ({ code, clause: 'condition', ...warning }));
      }
    }
  }
  if (policy.condition !== undefined) {
    for (const [code, rule] of entriesOf<keyof typeof transactionRules, TransactionRule>(
      transactionRules,
    )) {
      const found = rule(policy.effect, policy.condition);
      yield found.map((warning) => ({ code, clause: 'condition', ...warning }));
    }
  }
  for (const [code, rule] of entriesOf(policyRules)) {
    yield rule(policy).map((warning) => ({ code, ...warning }));
  }
}

/** Like `lintPolicies`, with a pause after each reading of a condition, because many texts are long. */
export async function lintPoliciesInParts(
  policies: readonly LintedPolicy[],
  pause: () => Promise<void>,
): Promise<readonly SetWarning[]> {
  for (const { condition } of policies) {
    if (condition === undefined) continue;
    await finishInParts(readInSteps(condition.expression), pause);
    openingOf(condition);
    await pause();
  }
  return lintPolicies(policies);
}

/** Returns warnings about the combination of policies, without those of `lintPolicy`. */
export function lintPolicies(policies: readonly LintedPolicy[]): readonly SetWarning[] {
  return entriesOf(setRules).flatMap(([code, rule]) =>
    rule(policies).map((warning) => ({ code, ...warning })),
  );
}

type PolicyWarning = ClauseWarning & { readonly clause: ClauseName };

const policyRules = {
  everything_open_to_everybody: ({ effect, condition, consensus, time }: LintedPolicy) =>
    effect === 'EFFECT_ALLOW' && isAlways(condition) && isAlways(consensus) && isAlways(time)
      ? [onCondition('every user may do everything, alone and at any time')]
      : [],

  equals_root: ({ effect, condition, consensus }: LintedPolicy) => {
    if (effect !== 'EFFECT_ALLOW' || !isMetAlone(consensus)) return [];
    if (isAlways(condition)) {
      // Another rule reports policies without a consensus.
      if (isAlways(consensus)) return [];
      return [
        onCondition(
          'a user who meets it alone may do everything that a policy can allow, which equals root',
        ),
      ];
    }
    // Other rows report a condition that never holds, or that names an unknown activity.
    const isReported =
      condition === undefined ||
      clauseRules.never_true(condition).length > 0 ||
      conditionRules.unknown_activity_name(condition).length > 0;
    return !isReported && allows(condition, isPolicyWriting)
      ? [
          onCondition(
            'a user who meets it alone may write policies that allow everything, which equals root',
          ),
        ]
      : [];
  },

  export_open_to_everybody: ({ effect, condition, consensus }: LintedPolicy) => {
    // Another rule reports policies without a condition.
    if (effect !== 'EFFECT_ALLOW' || !isAlways(consensus) || isAlways(condition)) return [];
    return condition !== undefined && allows(condition, isExport)
      ? [onCondition('every user alone may export keys: say who in `consensus`')]
      : [];
  },

  signing_open_to_everybody: ({ effect, condition, consensus }: LintedPolicy) => {
    // Another rule reports policies without a condition.
    if (effect !== 'EFFECT_ALLOW' || !isAlways(consensus) || isAlways(condition)) return [];
    if (condition === undefined || namesKeyOrContent(condition) || !allows(condition, isSigning)) {
      return [];
    }
    return [
      onCondition(
        'every user alone may sign with every key: say who in `consensus`, or which keys here',
      ),
    ];
  },

  alternatives_apart: ({ effect, condition }: LintedPolicy) =>
    effect === 'EFFECT_ALLOW' && condition !== undefined
      ? alternativesApart(condition).map(inCondition)
      : [],

  deny_of_one_type: ({ effect, condition }: LintedPolicy) =>
    effect === 'EFFECT_DENY' && condition !== undefined
      ? denyOfOneType(condition).map(inCondition)
      : [],
} satisfies Record<string, (policy: LintedPolicy) => readonly PolicyWarning[]>;

/** Each rule visits every policy only once, because expressions may be long. */
const setRules = {
  raw_signing_left_open: (policies: readonly LintedPolicy[]) => {
    const isDenied = policies.some(
      ({ effect, condition }) =>
        effect === 'EFFECT_DENY' && condition !== undefined && openingOf(condition).isAboutPayloads,
    );
    if (isDenied) return [];
    const aboutTransactions = policies.filter(
      ({ condition }) => condition !== undefined && openingOf(condition).isAboutTransactions,
    );
    return policies.flatMap((policy, index) => {
      const { effect, condition } = policy;
      if (effect !== 'EFFECT_ALLOW' || condition === undefined || isAlways(condition)) return [];
      if (!aboutTransactions.some((other) => other !== policy)) return [];
      const opening = openingOf(condition);
      if (!opening.allowsRawSigning || opening.isAboutPayloads) return [];
      const message =
        'a raw payload may be the hash of any transaction, so policies about transactions do not restrict it';
      return [{ index, ...onCondition(message) }];
    });
  },
} satisfies Record<
  string,
  (policies: readonly LintedPolicy[]) => readonly (PolicyWarning & { readonly index: number })[]
>;

/** Facts about a condition that the rules about several policies share. */
type Opening = {
  readonly isAboutPayloads: boolean;
  readonly isAboutTransactions: boolean;
  readonly allowsRawSigning: boolean;
};

const openings = new WeakMap<Clause, Opening>();

function openingOf(condition: Clause): Opening {
  return openings.getOrInsertComputed(condition, (clause) => ({
    isAboutPayloads: isAboutPayloads(clause),
    isAboutTransactions: isAboutTransactions(clause),
    allowsRawSigning: allows(clause, isRawSigning),
  }));
}

function inCondition(warning: ClauseWarning): PolicyWarning {
  return { clause: 'condition', ...warning };
}

function onCondition(message: string): PolicyWarning {
  return { clause: 'condition', position: 0, message };
}

function isAlways(clause: Clause | undefined): boolean {
  return clause === undefined || (clause.expression.kind === 'boolean' && clause.expression.value);
}

/** Returns true if a condition may hold for an activity of one of these kinds. */
function allows(condition: Clause, isSort: (kind: string) => boolean): boolean {
  const names = neededNames(condition.expression).map(({ name }) => name);
  return kindsOf(condition.expression).some(({ name }) => isSort(name) && canShow(name, names));
}

function isExport(kind: string): boolean {
  return kind.startsWith('EXPORT_');
}

function isSigning(kind: string): boolean {
  return activityKinds.some(({ name, action }) => name === kind && action === 'SIGN');
}

/** Returns true if a condition reads more than the submitter and the kind of activity. */
function namesKeyOrContent(condition: Clause): boolean {
  const kindMembers = ['activity.type', 'activity.kind', 'activity.action', 'activity.resource'];
  return neededNames(condition.expression).some(({ name }) => !kindMembers.includes(name));
}

function isPolicyWriting(kind: string): boolean {
  return kind === 'CREATE_POLICY' || kind === 'CREATE_POLICIES' || kind === 'UPDATE_POLICY';
}

/** Returns true if a single user may meet a consensus, because it never requires a count of two or more. */
function isMetAlone(consensus: Clause | undefined): boolean {
  if (consensus === undefined) return true;
  return !conjuncts(consensus.expression).some(
    (part) =>
      part.kind === 'comparison' &&
      part.left.kind === 'method' &&
      part.left.name === 'count' &&
      part.right.kind === 'integer' &&
      (part.operator === '>=' || part.operator === '==' || part.operator === '>') &&
      part.right.value >= (part.operator === '>' ? 1n : 2n),
  );
}

function isRawSigning(kind: string): boolean {
  return kind === 'SIGN_RAW_PAYLOAD' || kind === 'SIGN_RAW_PAYLOADS';
}

const payloadNames = [
  'params.encoding',
  'params.hash_function',
  'eth.eip_712',
  'eth.eip_7702_authorization',
];

/** Returns true if a condition looks at payloads themselves, or names their kinds of activity. */
function isAboutPayloads(condition: Clause): boolean {
  const names = neededNames(condition.expression).map(({ name }) => name);
  return (
    names.some((name) => payloadNames.includes(name)) ||
    activityTexts(condition.expression).some((text) => /SIGN_RAW_PAYLOADS?(_V\d+)?$/.test(text))
  );
}

function isAboutTransactions(condition: Clause): boolean {
  return neededNames(condition.expression).some(({ name }) => name.endsWith('.tx'));
}

function entriesOf<Name extends string, Row>(rows: Readonly<Record<Name, Row>>): [Name, Row][] {
  return namesOf(rows).map((name) => [name, rows[name]]);
}

/** All codes, in the order of the tables. */
export const warningCodes: readonly WarningCode[] = [
  ...entriesOf(clauseRules).map(([code]) => code),
  ...entriesOf(conditionRules).map(([code]) => code),
  ...entriesOf<keyof typeof transactionRules, TransactionRule>(transactionRules).map(
    ([code]) => code,
  ),
  ...entriesOf(policyRules).map(([code]) => code),
  ...entriesOf(setRules).map(([code]) => code),
];
