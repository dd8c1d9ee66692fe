// The root user of an organization as the neighbour of a flood: revokes keys and users, and changes a
// policy. Each is a change, which waits for other changes.

import { newSigner, type Signer, stamper } from '../../../bench/client.ts';
import type { Bounds, FloodedService, FloodResult } from './flood.ts';
import { besideAttack, connectionFrom, type Exchanged, type SendOnce } from './neighbour.ts';

/** The operation, type and parameters of a change. */
type Change = readonly [operation: string, type: string, parameters: object];

/** The number of users whose keys are revoked before more are created. */
const usersAtOnce = 80;

/** Changes left over by an earlier flood, since an organization has at most 100 users. */
const readyOf = new WeakMap<FloodedService, Change[]>();

/** Returns a neighbour that revokes keys and users, and changes a policy, in turn. */
export async function rootChanges(service: FloodedService): Promise<SendOnce> {
  const { port, root } = service;
  const stamp = stamper(root);
  const exchange = connectionFrom(port);
  const send = ([operation, type, parameters]: Change) =>
    exchange(stamp.submit(operation, type, parameters));
  const prepare = async (change: Change) => resultOf(await send(change));
  const { policyId } = await prepare([
    'create_policy',
    'ACTIVITY_TYPE_CREATE_POLICY_V3',
    { policyName: `Policy ${Date.now()}`, effect: 'EFFECT_DENY', condition: 'false', notes: '' },
  ]);
  const ready = readyOf.getOrInsertComputed(service, () => []);
  const refill = async (): Promise<void> => {
    const users = Array.from({ length: usersAtOnce }, () => [newSigner(''), newSigner('')]);
    const { userIds } = await prepare(createUsers(...users));
    for (const [i, userId] of userIds.entries()) {
      const { body } = await exchange(stamp.query('get_user', { userId }));
      const [{ apiKeyId }] = JSON.parse(body.toString()).user.apiKeys;
      ready.push(...changesOf(userId, apiKeyId, policyId, i));
    }
  };
  if (ready.length === 0) await refill();
  return async () => {
    const next = ready.shift();
    if (next !== undefined) return send(next);
    await refill();
    return send(ready.shift() ?? createUsers());
  };
}

/** Measures the root user during an attack with the key of a user without rights. */
export async function besideUserWithoutRights(
  bounds: Bounds,
  attackFile: string,
): Promise<FloodResult> {
  const { port, root } = bounds.service;
  const attacker = newSigner(root.organizationId);
  const send = connectionFrom(port);
  resultOf(await send(stamper(root).submit(...createUsers([attacker]))));
  return besideAttack(bounds, attackFile, rootChanges, attacker);
}

function changesOf(
  userId: string,
  apiKeyId: string,
  policyId: string,
  i: number,
): readonly Change[] {
  return [
    ['delete_api_keys', 'ACTIVITY_TYPE_DELETE_API_KEYS', { userId, apiKeyIds: [apiKeyId] }],
    ['delete_users', 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [userId] }],
    [
      'update_policy',
      'ACTIVITY_TYPE_UPDATE_POLICY_V2',
      { policyId, policyCondition: `activity.action == 'EXPORT' && ${i} > ${usersAtOnce}` },
    ],
  ];
}

/** Returns the change that creates users with these keys and without rights. */
function createUsers(...keysOfUsers: readonly (readonly Signer[])[]): Change {
  const users = keysOfUsers.map((keys) => ({
    userName: `User ${keys[0]?.publicKeyHex}`,
    userTags: [],
    apiKeys: keys.map(describedKey),
    authenticators: [],
    oauthProviders: [],
  }));
  return ['create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', { users }];
}

const describedKey = ({ publicKeyHex }: Signer) => ({
  apiKeyName: `Key ${publicKeyHex}`,
  publicKey: publicKeyHex,
  curveType: 'API_KEY_CURVE_P256',
});

/** Returns the result of an activity. Throws if the service refused it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export function resultOf({ status, body }: Exchanged): any {
  if (status !== 200) throw new Error(`a change was refused: ${status} ${body.toString()}`);
  const [result] = Object.values(JSON.parse(body.toString()).activity.result);
  return result;
}
