// Summarizes a policy in one sentence: the allowed or denied activities and the required votes, with names in
// place of ids. Expressions without a known pattern appear as written.

import { activityGerund, resourcePlural } from '../../../src/core/activity/activity_title.ts';
import type { Expression } from '../../../src/core/policy/language/ast.ts';
import { parse } from '../../../src/core/policy/language/parser.ts';
import { countOf } from '../../../src/core/policy/language/plain_count.ts';
import { print } from '../../../src/core/policy/language/printer.ts';
import {
  chainText,
  coinOfChain,
  coinText,
} from '../../../src/core/transactions/ethereum/known_chains.ts';
import type { MessageName } from '../../messages/en.ts';
import { listText, number, oneOfText, t } from '../../messages/text.ts';
import { shortId, withNames } from '../headlines/named_ids.ts';
import { shown } from '../service/activity_text.ts';

type Names = ReadonlyMap<string, string>;

type Rule = {
  readonly effect: string;
  readonly condition: string;
  readonly consensus: string;
  readonly time?: string | undefined;
};

export function policySentence(
  { effect, condition, consensus, time = '' }: Rule,
  names: Names,
): string {
  const isDeny = effect === 'EFFECT_DENY';
  if (isFalse(condition) || isFalse(consensus)) {
    return t(isDeny ? 'policies.saysDenyNothing' : 'policies.saysAllowNothing');
  }
  const what = whatText(condition, names);
  const who = consensus === '' ? undefined : whoText(consensus, names);
  const sentence =
    who === undefined
      ? t(isDeny ? 'policies.saysDeny' : 'policies.saysAllow', { what })
      : t(isDeny ? 'policies.saysDenyIf' : 'policies.saysAllowIf', { what, who });
  return time === '' ? sentence : `${sentence} ${t('policies.saysTime', { time: shown(time) })}`;
}

function isFalse(clause: string): boolean {
  const tree = parsed(clause);
  return tree?.kind === 'boolean' && !tree.value;
}

/** Describes the activities that match a condition. */
function whatText(condition: string, names: Names): string {
  if (condition === '') return t('policies.saysEverything');
  const tree = parsed(condition);
  if (tree === undefined) return shown(condition);
  if (tree.kind === 'boolean') return t('policies.saysEverything');
  const deeds = alternativeDeeds(tree);
  if (deeds !== undefined) return oneOfText([...new Set(deeds)]);
  const parts = tree.kind === 'and' ? tree.operands : [tree];
  const equal = new Map(
    parts.flatMap((part) => {
      const found = equality(part);
      return found === undefined || found.value === '' ? [] : [[found.path, found.value] as const];
    }),
  );
  const [action, resource] = [equal.get('activity.action'), equal.get('activity.resource')];
  const kind = equal.get('activity.kind') ?? equal.get('activity.type');
  const activity =
    kind === undefined ? activityText(action, resource) : shown(activityGerund(kind));
  const chain = parts.flatMap((part) => chainOf(part) ?? [])[0];
  const rest = parts.flatMap((part) => {
    const found = equality(part);
    if (found !== undefined && found.value !== '' && kindsOfActivity.has(found.path)) return [];
    return [partText(part, { names, chain, written: writtenIn(tree, part) })];
  });
  if (rest.length === 0) return activity ?? t('policies.saysEverything');
  const where = listText(rest);
  return activity === undefined
    ? t('policies.saysWhere', { where })
    : t('policies.saysDeedWhere', { deed: activity, where });
}

/**
 * Returns the alternatives in `activity.kind == 'A' || activity.resource == 'B'` and in
 * `activity.kind in ['A', 'B']`; undefined for other conditions.
 */
function alternativeDeeds(tree: Expression): readonly string[] | undefined {
  const found = alternativesOf(tree).map((each) =>
    each !== undefined && kindsOfActivity.has(each.path) ? deedOf(each) : undefined,
  );
  if (found.length === 0 || !found.every((each) => each !== undefined)) return undefined;
  // Broad alternatives follow, so that `or` does not continue their resources.
  const isBroad = (deed: string) => deed.startsWith(t('policies.saysEverything'));
  return [...found.filter((deed) => !isBroad(deed)), ...found.filter(isBroad)];
}

function alternativesOf(tree: Expression): readonly (Equality | undefined)[] {
  if (tree.kind === 'or') return tree.operands.map(equality);
  if (tree.kind !== 'comparison' || tree.operator !== 'in' || tree.right.kind !== 'list') return [];
  const path = print(tree.left);
  return tree.right.items.map((item) =>
    item.kind === 'text' ? { path, value: item.value } : undefined,
  );
}

const kindsOfActivity: ReadonlySet<string> = new Set(
  ['action', 'resource', 'kind', 'type'].map((member) => `activity.${member}`),
);

/** Describes an action on a resource, as in `creating wallets` and `everything about policies`. */
function activityText(
  action: string | undefined,
  resource: string | undefined,
): string | undefined {
  if (resource === undefined) return action && shown(activityGerund(action));
  const things = shown(resourcePlural(resource));
  if (action === undefined) return t('policies.saysAbout', { things });
  if (action === 'SIGN' && resource !== 'SPONSORSHIP')
    return t('policies.saysSignWith', { things });
  return shown(activityGerund(`${action}_${resource}`));
}

const deedOf = ({ path, value }: Equality): string =>
  (path === 'activity.resource' ? activityText(undefined, value) : undefined) ??
  shown(activityGerund(value));

/** Prints a part of an expression, with the parentheses that it needs beside others. */
const writtenIn = (whole: Expression, part: Expression): string =>
  part !== whole && part.kind === 'or' ? `(${print(part)})` : print(part);

/** Describes one part of a condition, as in `with the wallet treasury`. Other parts appear as written. */
function partText(
  part: Expression,
  {
    names,
    chain,
    written,
  }: { readonly names: Names; readonly chain: bigint | undefined; readonly written: string },
): string {
  const asWritten = () =>
    t('policies.saysCondition', { condition: withNames(shown(written), names) });
  if (chainOf(part) !== undefined) {
    return t('policies.saysChain', { chain: chainText(`eip155:${chainOf(part)}`) ?? '' });
  }
  const limit = limitText(part);
  if (limit !== undefined) return limit;
  const found = equality(part);
  if (found === undefined) return recipientsText(part) ?? amountText(part, chain) ?? asWritten();
  const name = shown(names.get(found.value.toLowerCase()) ?? shortId(found.value));
  switch (found.path) {
    case 'wallet.id':
    case 'wallet.label':
      return t('policies.saysWallet', { name });
    case 'private_key.id':
    case 'private_key.label':
      return t('policies.saysKey', { name });
    case 'eth.tx.to':
      return t('policies.saysTo', { addresses: shown(found.value) });
    default:
      return asWritten();
  }
}

/** Describes `controls.daily` and `!controls.daily`. */
function limitText(part: Expression): string | undefined {
  const isBeyond = part.kind === 'not';
  const read = isBeyond ? part.operand : part;
  if (read.kind !== 'member' || print(read.target) !== 'controls') return undefined;
  return t(isBeyond ? 'policies.saysBeyond' : 'policies.saysWithin', { name: shown(read.name) });
}

/** Matches `eth.tx.chain_id == 1`. */
function chainOf(part: Expression): bigint | undefined {
  if (part.kind !== 'comparison' || part.operator !== '==') return undefined;
  const isChain = part.right.kind === 'integer' && print(part.left) === 'eth.tx.chain_id';
  return isChain ? part.right.value : undefined;
}

/** Describes `eth.tx.to in address_book.payroll` and `eth.tx.to in ['0x…', '0x…']`. */
function recipientsText(part: Expression): string | undefined {
  if (part.kind !== 'comparison' || part.operator !== 'in') return undefined;
  if (print(part.left) !== 'eth.tx.to') return undefined;
  const { right } = part;
  if (right.kind === 'member' && print(right.target) === 'address_book') {
    return t('policies.saysToLabel', { label: shown(right.name) });
  }
  if (right.kind !== 'list') return undefined;
  const addresses = right.items.flatMap((item) => (item.kind === 'text' ? [item.value] : []));
  if (addresses.length === 0 || addresses.length < right.items.length) return undefined;
  return t('policies.saysTo', { addresses: oneOfText(addresses.map(shown)) });
}

/** Describes `eth.tx.value <= 1000000000000000000` if a part of the condition names the chain. */
function amountText(part: Expression, chain: bigint | undefined): string | undefined {
  if (part.kind !== 'comparison' || part.right.kind !== 'integer') return undefined;
  if (print(part.left) !== 'eth.tx.value' || coinOfChain(chain) === undefined) return undefined;
  const text = amounts[part.operator];
  return text && t(text, { amount: coinText(part.right.value, chain) });
}

const amounts: Readonly<Record<string, MessageName>> = {
  '<=': 'policies.saysAtMost',
  '<': 'policies.saysBelow',
  '>=': 'policies.saysAtLeast',
  '>': 'policies.saysAbove',
};

function whoText(consensus: string, names: Names): string {
  const tree = parsed(consensus);
  if (tree === undefined) return shown(consensus);
  const parts = (tree.kind === 'and' ? tree.operands : [tree]).map(
    (part) => votesText(part, names) ?? withNames(shown(writtenIn(tree, part)), names),
  );
  return listText(parts);
}

/** Describes the votes that one part of a consensus needs. */
function votesText(tree: Expression, names: Names): string | undefined {
  if (tree.kind === 'boolean' && tree.value) return t('policies.saysAnybody');
  if (tree.kind === 'lambda' && tree.name === 'any' && print(tree.target) === 'approvers') {
    const users = usersOf(tree.predicate, tree.variable, names);
    if (users !== undefined) return t('policies.saysApproves', { users: users.one });
  }
  const counted = countOf(tree);
  if (counted !== undefined) {
    const { list: target, least } = counted;
    const count = number(Number(least));
    if (print(target) === 'approvers') {
      return t('policies.saysUsersApprove', { count: Number(least) });
    }
    if (
      target.kind === 'lambda' &&
      target.name === 'filter' &&
      print(target.target) === 'approvers'
    ) {
      const users = usersOf(target.predicate, target.variable, names);
      if (users !== undefined) return t('policies.saysCountApprove', { count, users: users.all });
    }
  }
  return undefined;
}

/** Describes the users in a predicate: `one` for any of them, `all` for all of them. */
function usersOf(predicate: Expression, variable: string, names: Names) {
  const nameOf = (id: string) => shown(names.get(id.toLowerCase()) ?? shortId(id));
  const found = equality(predicate);
  if (found?.path === `${variable}.id`) {
    const name = nameOf(found.value);
    return { one: name, all: name };
  }
  if (
    predicate.kind === 'comparison' &&
    predicate.operator === 'in' &&
    print(predicate.left) === `${variable}.id` &&
    predicate.right.kind === 'list'
  ) {
    const ids = predicate.right.items.flatMap((item) => (item.kind === 'text' ? [item.value] : []));
    if (ids.length === 0 || ids.length < predicate.right.items.length) return undefined;
    return { one: oneOfText(ids.map(nameOf)), all: listText(ids.map(nameOf)) };
  }
  if (
    predicate.kind === 'method' &&
    predicate.name === 'contains' &&
    print(predicate.target) === `${variable}.tags` &&
    predicate.items[0]?.kind === 'text'
  ) {
    const tag = nameOf(predicate.items[0].value);
    return { one: t('policies.saysHolder', { tag }), all: t('policies.saysHolders', { tag }) };
  }
  return undefined;
}

type Equality = { readonly path: string; readonly value: string };

/** Matches `path == 'value'` and `'value' == path`. */
function equality(part: Expression): Equality | undefined {
  if (part.kind !== 'comparison' || part.operator !== '==') return undefined;
  const { left, right } = part;
  if (right.kind === 'text' && left.kind === 'member')
    return { path: print(left), value: right.value };
  if (left.kind === 'text' && right.kind === 'member')
    return { path: print(right), value: left.value };
  return undefined;
}

function parsed(text: string): Expression | undefined {
  try {
    return parse(text);
  } catch {
    // Callers show invalid expressions as written; the service rejects them when a policy is saved.
    return undefined;
  }
}
