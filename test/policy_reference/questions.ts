// Random organizations with a few users, a few policies and a request.

import type { Question, ReferencePolicy, ReferenceUser } from './decision.ts';
import type { Value } from './interpreter.ts';
import type { Random } from './random.ts';

const userIds = ['u1', 'u2', 'u3', 'u4', 'u5', 'u6'];
const tags = ['red', 'blue'];

/** Returns a question about an organization with this many users. */
export function randomQuestion(random: Random, userCount: number): Question {
  const users = userIds.slice(0, userCount).map((id) => ({ id, tags: someOf(random, tags) }));
  const ids = users.map(({ id }) => id);
  const submitter = random.pick(ids);
  const further = someOf(random, ids).filter((id) => id !== submitter && random.chance(0.5));
  const rootUserIds = someOf(random, ids);
  return {
    policies: Array.from({ length: random.below(5) }, () => randomPolicy(random, users)),
    users,
    rootUserIds,
    threshold: rootUserIds.length === 0 ? 0 : 1 + random.below(rootUserIds.length),
    skipsFailedDenies: random.chance(0.2),
    isRootQuorumOnly: random.chance(0.05),
    isOfOtherMember: random.chance(0.05),
    ownUserId: random.chance(0.3) ? random.pick(ids) : undefined,
    scopes: Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => randomPart(random)),
    now: 1_000_000_000n * 1_800_000_000n,
    voterIds: [submitter, ...further],
  };
}

function randomPart(random: Random): { [name: string]: Value } {
  const activity = {
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    kind: 'SIGN_TRANSACTION',
    resource: 'PRIVATE_KEY',
    action: 'SIGN',
    params: {},
  };
  const data = random.pick(['0x', '0xa9059cbb', '0x095ea7b3']);
  const value = BigInt(random.below(3));
  return random.chance(0.7) ? { activity, eth: { tx: { data, value } } } : { activity };
}

function randomPolicy(random: Random, users: readonly ReferenceUser[]): ReferencePolicy {
  return {
    effect: random.chance(0.7) ? 'EFFECT_ALLOW' : 'EFFECT_DENY',
    condition: random.chance(0.3) ? undefined : random.pick(conditions),
    consensus: random.chance(0.15) ? undefined : randomConsensus(random, users, 2),
    time: random.chance(0.7) ? undefined : random.pick(times),
  };
}

const conditions = [
  'true',
  'true',
  'false',
  "activity.action == 'SIGN'",
  'eth.tx.value <= 1',
  "eth.tx.data[0..10] == '0xa9059cbb'",
  "eth.tx.data[0..10] == '0xa9059cbb' || wallet.exported",
  "activity.params.encoding == 'PAYLOAD_ENCODING_EIP712'",
  "activity.action == 'SIGN' || eth.tx.value > 1",
  "!(wallet.exported && activity.action == 'EXPORT')",
  "eth.tx.data[0..10] == '0xa9059cbb' && activity.action == 'EXPORT'",
];
const times = [
  'true',
  "time.now < Timestamp('2026-01-01T00:00:00Z')",
  "time.now >= Timestamp('2026-01-01T00:00:00Z')",
];

function randomConsensus(random: Random, users: readonly ReferenceUser[], depth: number): string {
  if (depth > 0 && random.chance(0.5)) {
    const sides = [0, 1].map(() => randomConsensus(random, users, depth - 1));
    return `(${sides.join(random.pick([' && ', ' || ']))})`;
  }
  const id = random.pick(users).id;
  const tag = random.pick(tags);
  const count = random.below(4);
  return random.pick([
    `approvers.any(u, u.id == '${id}')`,
    `approvers.any(u, u.tags.contains('${tag}'))`,
    `!approvers.any(u, u.id == '${id}')`,
    `approvers.all(u, u.tags.contains('${tag}'))`,
    `approvers.filter(u, u.tags.contains('${tag}')).count() >= ${count}`,
    `approvers.count() >= ${count}`,
    `approvers.count() == ${count}`,
    `credentials.any(c, c.user_id == '${id}')`,
    `credentials.filter(c, c.type == 'CREDENTIAL_TYPE_API_KEY_P256').count() > ${count}`,
    // Fails as long as there is only one approver.
    `approvers[1].id == '${id}'`,
  ]);
}

function someOf<Item>(random: Random, items: readonly Item[]): Item[] {
  return items.filter(() => random.chance(0.5));
}
