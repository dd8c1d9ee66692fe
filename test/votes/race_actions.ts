// Generates the requests of a race.

import type { Choice } from '../simulation/choice.ts';
import { gateText, names, pairsOf, type Rule } from './race_cast.ts';
import type { RaceRecord } from './race_record.ts';

export type RaceWorld = {
  readonly choice: Choice;
  readonly record: RaceRecord;
  readonly adminId: string;
  readonly tagId: string;
  /** In the order of `names`. */
  readonly userIds: readonly string[];
  readonly gatePolicyId: string;
  /** A private key. */
  readonly signWith: string;
  readonly allowing: readonly Rule[];
  readonly denying: readonly Rule[];
  /** A number that is unique to this request. */
  readonly serial: () => number;
};

export type Action = {
  readonly operation: string;
  readonly type: string;
  readonly parameters: object;
  /** The activity of a vote. */
  readonly activityId?: string | undefined;
  readonly byAdmin?: true;
};

type Make = (world: RaceWorld) => Action | undefined;

const vote =
  (selection: 'approve' | 'reject'): Make =>
  ({ choice, record }) => {
    const all = record.activities().filter(({ request }) => request !== undefined);
    const open = all.filter(({ status }) => status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    const [activity] = choice.some(open.length > 0 && choice.chance(0.9) ? open : all, 1);
    if (activity === undefined) return undefined;
    const { fingerprint, id } = activity;
    return {
      operation: `${selection}_activity`,
      type: `ACTIVITY_TYPE_${selection.toUpperCase()}_ACTIVITY`,
      parameters: { fingerprint },
      activityId: id,
    };
  };

const asked = (operation: string, parameters: object, version = ''): Action => ({
  operation,
  type: `ACTIVITY_TYPE_${operation.toUpperCase()}${version}`,
  parameters,
});
const byAdmin = (operation: string, parameters: object, version = ''): Action => ({
  ...asked(operation, parameters, version),
  byAdmin: true,
});

/** Return undefined if there is nothing to act on. */
export const actions = {
  approve: vote('approve'),
  reject: vote('reject'),
  rename: ({ serial }) =>
    asked('update_organization_name', { organizationName: `Name ${serial()}` }),
  quorum: ({ choice, userIds }) => {
    const members = choice.some(userIds, 2 + choice.below(3));
    return asked('update_root_quorum', {
      threshold: 1 + choice.below(members.length),
      userIds: members,
    });
  },
  // Few names, so that some approved tags can no longer be created.
  tag: ({ choice }) =>
    asked('create_user_tag', { userTagName: `Tag ${choice.below(5)}`, userIds: [] }),
  sign: ({ signWith, serial }) =>
    asked(
      'sign_raw_payload',
      {
        signWith,
        payload: `Payload ${serial()}`,
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
      },
      '_V2',
    ),
  editGate: ({ choice, gatePolicyId, allowing }) =>
    byAdmin(
      'update_policy',
      { policyId: gatePolicyId, policyConsensus: choice.pick(allowing).text },
      '_V2',
    ),
  makeDeny: ({ choice, denying, serial }) =>
    byAdmin(
      'create_policy',
      {
        policyName: `Deny ${serial()}`,
        effect: 'EFFECT_DENY',
        condition: gateText,
        consensus: choice.pick(denying).text,
        notes: '',
      },
      '_V3',
    ),
  dropDeny: ({ choice, record }) => {
    const denying = [...record.current().rows.policy.values()].filter(
      ({ effect }) => effect === 'EFFECT_DENY',
    );
    const [policy] = choice.some(denying, 1);
    return policy && byAdmin('delete_policy', { policyId: policy.id });
  },
  removeUser: ({ choice, userIds }) => byAdmin('delete_users', { userIds: [choice.pick(userIds)] }),
  removeKey: ({ choice, record, adminId }) => {
    const keys = [...record.current().rows.api_key.values()];
    const [key] = choice.some(
      keys.filter(({ userId }) => userId !== adminId),
      1,
    );
    return key && byAdmin('delete_api_keys', { userId: key.userId, apiKeyIds: [key.id] });
  },
  /** Registers a deleted key again, for its former user or another. */
  returnKey: ({ choice, record, userIds, serial }) => {
    const { rows } = record.current();
    const held = new Set([...rows.api_key.values()].map(({ publicKey }) => publicKey));
    const free = names.flatMap((_, i) =>
      pairsOf(i).flatMap((pair) => (held.has(pair.publicKey) ? [] : [{ pair, i }])),
    );
    const [found] = choice.some(free, 1);
    if (found === undefined) return undefined;
    const { pair, i } = found;
    const { publicKey, curve: curveType } = pair;
    const userId = choice.chance(0.8) ? userIds[i] : choice.pick(userIds);
    const apiKeys = [{ apiKeyName: `Key ${serial()}`, publicKey, curveType }];
    return byAdmin('create_api_keys', { userId, apiKeys }, '_V2');
  },
  moveTag: ({ choice, userIds, tagId }) => {
    const [one] = choice.some(userIds, 1);
    const isAdded = choice.chance(0.5);
    return byAdmin('update_user_tag', {
      userTagId: tagId,
      addUserIds: isAdded ? [one] : [],
      removeUserIds: isAdded ? [] : [one],
    });
  },
} as const satisfies Record<string, Make>;
