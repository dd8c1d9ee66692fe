// Describes changes of policies, users and the root quorum by the signed bytes. The values before the change,
// and the names of ids, come from the service and are not verified.

import { reportedName } from '../../../src/client/reported_names.ts';
import { changeSentence } from '../../../src/core/transactions/headline/change_sentence.ts';
import { listText, t } from '../../messages/text.ts';
import { hasId, shortId } from '../headlines/named_ids.ts';
import { quorumMembers } from '../headlines/quorum_text.ts';
import type { Policy } from '../service/reads.ts';

/** Current state of the organization, as the service reports it. */
export type Known = {
  readonly policies: readonly Policy[];
  readonly users: readonly { readonly userId: string; readonly userName: string }[];
  readonly names: ReadonlyMap<string, string>;
  readonly quorum?: { readonly threshold: number; readonly userIds: readonly string[] } | undefined;
};

/** One member: its current value as the service reports it, and its signed value. */
export type Difference = {
  readonly what: string;
  readonly now?: string | undefined;
  readonly signed: string;
};

export type Change = {
  readonly sentence: string;
  readonly differences: readonly Difference[];
  readonly warnings: readonly string[];
};

type Intent = Readonly<Record<string, unknown>>;
type Describe = (intent: Intent, known: Known) => Change;

/** Describes a change. Returns undefined for activities that this module cannot describe. */
export function changeOf(type: string, intent: Intent, known: Known): Change | undefined {
  const kind = type.replace(/^ACTIVITY_TYPE_/, '').replace(/_V\d+$/, '');
  // Early versions of the policy activities have `selectors` in place of expressions.
  if ('selectors' in intent) return undefined;
  if (Object.hasOwn(describers, kind)) return describers[kind]?.(intent, known);
  const sentence = changeSentence(type, intent, (id) => known.names.get(id));
  return sentence === undefined
    ? undefined
    : { sentence, differences: restOf(intent), warnings: [] };
}

const describers: Readonly<Record<string, Describe>> = {
  CREATE_POLICY: (intent) => madePolicies([intent]),
  CREATE_POLICIES: ({ policies, ...rest }) => withRest(madePolicies(objectsOf(policies)), rest),
  UPDATE_POLICY: changedPolicy,
  DELETE_POLICY: ({ policyId, ...rest }, known) =>
    withRest(deletedPolicies([policyId], known), rest),
  DELETE_POLICIES: ({ policyIds, ...rest }, known) =>
    withRest(deletedPolicies(listOf(policyIds), known), rest),
  CREATE_USERS: ({ users, ...rest }) => withRest(madeUsers(objectsOf(users)), rest),
  DELETE_USERS: ({ userIds, ...rest }, known) => ({
    sentence: t('change.deletesUsers', { names: namesOf(listOf(userIds), known) }),
    differences: [...restOf(rest), ...idRows(listOf(userIds))],
    warnings: [],
  }),
  UPDATE_USER: changedUser,
  UPDATE_USER_NAME: changedUser,
  UPDATE_USER_EMAIL: changedUser,
  UPDATE_USER_PHONE_NUMBER: changedUser,
  UPDATE_ROOT_QUORUM: changedQuorum,
};

const policyMembers = ['policyName', 'effect', 'condition', 'consensus', 'time', 'notes'] as const;

function madePolicies(policies: readonly Intent[]): Change {
  return {
    sentence: t('change.createsPolicies', {
      names: listText(policies.map(({ policyName }) => quoted(textOf(policyName)))),
    }),
    differences: policies.flatMap((policy, i) => {
      const prefix = policies.length === 1 ? '' : `${i + 1}. `;
      const { policyName, effect, condition, consensus, time, notes, ...rest } = policy;
      const members = { policyName, effect, condition, consensus, time, notes };
      return [
        ...policyMembers.flatMap((name) =>
          isEmpty(members[name])
            ? []
            : [{ what: `${prefix}${memberText(name)}`, signed: textOf(members[name]) }],
        ),
        ...restOf(rest, prefix),
      ];
    }),
    warnings: policies.flatMap(({ effect, condition, consensus }) =>
      effect === 'EFFECT_ALLOW' && isEmpty(condition) && isEmpty(consensus)
        ? [t('change.warnOpen')]
        : [],
    ),
  };
}

/** Members of an update, mapped to the members of the policy. */
const updated = {
  policyName: 'policyName',
  policyEffect: 'effect',
  policyCondition: 'condition',
  policyConsensus: 'consensus',
  time: 'time',
  policyNotes: 'notes',
} as const;

function changedPolicy({ policyId, ...intent }: Intent, { policies }: Known): Change {
  const id = textOf(policyId);
  const before = policies.find((policy) => policy.policyId === id.toLowerCase());
  const { policyName, policyEffect, policyCondition, policyConsensus, time, policyNotes, ...rest } =
    intent;
  const given = { policyName, policyEffect, policyCondition, policyConsensus, time, policyNotes };
  const isOfDeny = before?.effect === 'EFFECT_DENY';
  return {
    sentence: t('change.updatesPolicy', { name: policyText(id, policies) }),
    differences: [
      ...(Object.keys(updated) as (keyof typeof updated)[]).flatMap((member) =>
        given[member] === undefined
          ? []
          : [
              {
                what: memberText(updated[member]),
                now: before?.[updated[member]] ?? '',
                signed: textOf(given[member]),
              },
            ],
      ),
      ...restOf(rest),
      ...idRows([policyId]),
    ],
    warnings: isOfDeny ? [t('change.warnDeny')] : [],
  };
}

function deletedPolicies(ids: readonly unknown[], { policies }: Known): Change {
  const found = ids.map((id) => ({
    id: textOf(id),
    policy: policies.find(({ policyId }) => policyId === textOf(id).toLowerCase()),
  }));
  return {
    sentence: t('change.deletesPolicies', {
      names: listText(found.map(({ id }) => policyText(id, policies))),
    }),
    differences: [
      ...found.flatMap(({ id, policy }) =>
        policyMembers.flatMap((name) =>
          isEmpty(policy?.[name])
            ? []
            : [
                {
                  what: `${found.length === 1 ? '' : `${policyText(id, policies)}: `}${memberText(name)}`,
                  now: textOf(policy?.[name]),
                  signed: t('change.deleted'),
                },
              ],
        ),
      ),
      ...idRows(ids),
    ],
    warnings: found.some(({ policy }) => policy?.effect === 'EFFECT_DENY')
      ? [t('change.warnDeny')]
      : [],
  };
}

function madeUsers(users: readonly Intent[]): Change {
  return {
    sentence: t('change.createsUsers', {
      names: listText(users.map(({ userName }) => textOf(userName))),
    }),
    differences: users.flatMap((user, i) => restOf(user, users.length === 1 ? '' : `${i + 1}. `)),
    warnings: users.some(({ apiKeys, authenticators }) => {
      return listOf(apiKeys).length + listOf(authenticators).length > 0;
    })
      ? [t('change.warnKeys')]
      : [],
  };
}

function changedUser({ userId, ...rest }: Intent, { users }: Known): Change {
  const id = textOf(userId);
  const before: Intent = users.find((user) => user.userId === id.toLowerCase()) ?? {};
  return {
    sentence: t('change.updatesUser', { name: userText(id, users) }),
    differences: [
      ...Object.entries(rest).map(([name, value]) => ({
        what: memberText(name),
        now: isEmpty(before[name]) ? '' : textOf(before[name]),
        signed: textOf(value),
      })),
      ...idRows([userId]),
    ],
    warnings: [],
  };
}

function changedQuorum({ threshold, userIds, ...rest }: Intent, known: Known): Change {
  const { quorum } = known;
  const ids = listOf(userIds);
  return {
    sentence: t('change.setsQuorum', {
      members: quorumMembers(
        Number(textOf(threshold)),
        ids.map((id) => namesOf([id], known)),
      ),
    }),
    differences: [
      {
        what: t('change.threshold'),
        now: quorum === undefined ? '' : String(quorum.threshold),
        signed: textOf(threshold),
      },
      {
        what: t('change.members'),
        now: namesOf(quorum?.userIds ?? [], known),
        signed: namesOf(ids, known),
      },
      ...restOf(rest),
      ...idRows(ids),
    ],
    warnings: [
      ...(Number(threshold) === 1 ? [t('change.warnAlone')] : []),
      ...(ids.length > 1 && Number(threshold) === ids.length ? [t('change.warnAll')] : []),
    ],
  };
}

/** Returns the remaining members, so that the page shows every signed member. */
function restOf(intent: Intent, prefix = ''): readonly Difference[] {
  return Object.entries(intent).flatMap(([name, value]) =>
    isEmpty(value) ? [] : [{ what: `${prefix}${memberText(name)}`, signed: textOf(value) }],
  );
}

const withRest = (change: Change, rest: Intent): Change => ({
  ...change,
  differences: [...change.differences, ...restOf(rest)],
});

const texts = {
  policyName: 'policies.name',
  effect: 'decision.effect',
  condition: 'decision.condition',
  consensus: 'decision.consensus',
  time: 'decision.time',
  notes: 'policies.notes',
  userName: 'users.name',
  userEmail: 'users.email',
} as const;

const memberText = (name: string): string =>
  Object.hasOwn(texts, name) ? t(texts[name as keyof typeof texts]) : name;

const namesOf = (ids: readonly unknown[], { users }: Known): string =>
  listText(ids.map((id) => userText(textOf(id), users)));

const userText = (id: string, users: Known['users']): string =>
  nameAndId(
    id,
    users.map(({ userId, userName }) => [userId, userName]),
  );

const policyText = (id: string, policies: Known['policies']): string =>
  nameAndId(
    id,
    policies.map(({ policyId, policyName }) => [policyId, policyName]),
    quoted,
  );

/** Names of policies are phrases, so a sentence needs quotation marks around them. */
const quoted = (name: string): string => t('approvals.policyName', { name });

/** Returns the name that the service reports, with the ends of the signed id. */
function nameAndId(
  id: string,
  rows: Parameters<typeof reportedName>[1],
  format = (name: string) => name,
): string {
  const name = reportedName(id, rows);
  return hasId(name) ? name : `${format(name)} (${shortId(id)})`;
}

/** Returns a row with the signed ids, which the sentence replaces by names. */
const idRows = (ids: readonly unknown[]): readonly Difference[] => [
  { what: t('change.signedIds'), signed: ids.map(textOf).join('\n') },
];

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const objectsOf = (value: unknown): readonly Intent[] =>
  listOf(value).map((each) => (typeof each === 'object' && each !== null ? each : {}) as Intent);
