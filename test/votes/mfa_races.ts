// One race with several factors: two users of a root quorum must each show two keys for a new name, and a
// third needs one key. All send concurrently to two enclaves on one store that delays and reorders.
// Meanwhile keys and MFA policies may be deleted, and a day may pass. Everything follows from the seed.

import assert from 'node:assert/strict';
import { hex, textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { weathers } from '../simulation/faults.ts';
import type { KeyPair } from '../simulation/key_pairs.ts';
import type { RaceResult } from '../support/race_command.ts';
import { adminPair, keysOf, names, pairsOf } from './race_cast.ts';
import type { State, Step } from './race_record.ts';
import {
  createTrack,
  founding,
  liveness,
  openRaceStore,
  startNode,
  userWithKeys,
} from './race_track.ts';

type Request = { readonly operation: string; readonly type: string; readonly parameters: object };
/** An approval of the new name as it left its sender. */
type Sent = {
  readonly user: number;
  readonly pair: KeyPair;
  readonly atMs: number;
  /**
   * The body of the request itself, which adds no factor for the user who turns out to be the submitter.
   */
  readonly isSameBody: boolean;
};

const newName = 'The new name';
const renaming = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
const dayMs = 86_400_000;
/** Indexes of users: two with an MFA policy, and one without. */
const [ada, bob, cyd] = [0, 1, 2];
const threshold = 2;

/** Runs one race to its end or its first complaint. */
export async function mfaRace(seed: string): Promise<RaceResult> {
  const track = createTrack('mfa race', seed);
  const { choice, schedule, count, complain } = track;

  let userIds: readonly string[] = [];
  const sent: Sent[] = [];
  const acknowledged: Sent[] = [];

  /** Returns true if the requests of a user may have shown all factors of its policy and its vote. */
  const hasShown = (user: number, { rows }: State, forVote: number): boolean => {
    const isKept = ({ atMs }: Sent) => track.now - atMs < dayMs + liveness.maximumAgeMs;
    const held = new Map([...rows.api_key.values()].map((key) => [key.publicKey, key.userId]));
    const keys = sent.filter(
      (one) => one.user === user && isKept(one) && held.get(one.pair.publicKey) === userIds[user],
    );
    const shown = new Set(keys.map(({ pair }) => pair.publicKey)).size;
    const isGuarded = [...rows.mfa_policy.values()].some((each) => each.userId === userIds[user]);
    return shown >= (isGuarded ? 2 : forVote);
  };

  function judge({ before, after, earlier, activity }: Step): void {
    const what = `${activity.type.slice(14)} ${activity.status.slice(16)}`;
    schedule.note(`  ${what} with ${activity.votes.length} votes`);
    count(`${what} ${activity.version === 1 ? 'at once' : 'by votes'}`);
    if (activity.type !== renaming) return;
    const isDone = activity.status === 'ACTIVITY_STATUS_COMPLETED';
    const wasOpen = earlier === undefined || /_NEEDED$/.test(earlier.status);
    if (!wasOpen) complain(`decided as ${earlier.status}, and then ${activity.status}`);
    if ((after.head.name === newName) !== isDone) complain(`${activity.status}, and the name is`);
    if (!isDone) return;
    if (!hasShown(userIds.indexOf(activity.submitterId), before, 0)) {
      complain('executed without the factors of who asked');
    }
    const approvers = [ada, bob, cyd].filter((user) => hasShown(user, before, 1));
    if (approvers.length < threshold) complain(`executed by ${approvers.length}`);
  }

  const { record, store } = openRaceStore(track, judge);
  const nodes = await Promise.all(
    ['first', 'second'].map((name) => startNode(track, store.portOf(name), name)),
  );

  let underWay = 0;
  function send(request: Request, body: Uint8Array, pair: KeyPair, as?: Sent): void {
    underWay += 1;
    const { operation } = request;
    const node = choice.below(nodes.length);
    if (as !== undefined) sent.push(as);
    schedule.addAlone('people', `${operation} by ${as?.user ?? 'admin'} to ${node}`, async () => {
      const answer = await nodes[node]?.ask({
        requestId: operation,
        kind: 'submit',
        operation,
        headers: [pair.stamp(body)],
        timestampObjects: false,
        remoteAddress: '127.0.0.1',
        body: body.slice(),
      });
      underWay -= 1;
      assert(answer !== undefined);
      const told = answer.errorCode ?? 'acknowledged';
      schedule.note(`  ${operation} by ${as?.user ?? 'admin'}: ${told}`);
      count(told);
      if (answer.errorCode === undefined && as !== undefined) acknowledged.push(as);
      if (answer.status >= 500 && told !== 'store_unavailable') {
        complain(`it failed: ${textOfUtf8(answer.body)}`);
      }
    });
  }

  function bodyOf({ type, parameters }: Request): Uint8Array {
    track.now += 1;
    const organizationId = record.organizationId();
    const envelope = { type, timestampMs: String(track.now), organizationId, parameters };
    return utf8(JSON.stringify(envelope));
  }

  async function admin(operation: string, parameters: object, version = '') {
    const type = `ACTIVITY_TYPE_${operation.toUpperCase()}${version}`;
    const request = { operation, type, parameters };
    send(request, bodyOf(request), adminPair);
    await track.settle(() => underWay);
    const [result] = Object.values(record.activities().at(-1)?.result ?? {});
    // biome-ignore lint/suspicious/noExplicitAny: results are looked into by path in tests
    return result as any;
  }

  async function prepare(): Promise<void> {
    const founded = nodes[0]?.bootstrap(founding(adminPair.publicKey));
    await track.drain();
    const { userId: adminId } = await (founded ?? assert.fail());
    const users = names
      .slice(0, 3)
      .map((userName, i) => userWithKeys(userName, keysOf(userName, i)));
    userIds = (await admin('create_users', { users }, '_V4')).userIds;
    const twoKeys = Array.from({ length: 2 }, () => ({
      any: [{ type: 'AUTHENTICATION_TYPE_API_KEY' }],
    }));
    for (const user of [ada, bob]) {
      await admin('create_mfa_policy', {
        userId: userIds[user],
        mfaPolicyName: 'Two keys',
        order: 1,
        condition: "activity.kind == 'UPDATE_ORGANIZATION_NAME'",
        requiredAuthenticationMethods: twoKeys,
      });
    }
    const policies = [
      {
        policyName: 'admin',
        effect: 'EFFECT_ALLOW',
        notes: '',
        condition: "activity.kind == 'DELETE_MFA_POLICY'",
        consensus: `approvers.any(user, user.id == '${adminId}')`,
      },
    ];
    await admin('create_policies', { policies });
    await admin('update_root_quorum', { threshold, userIds });
  }

  /** Deletes a key that is no longer shown, or a policy. */
  function interfere(): void {
    const user = choice.pick([ada, ada, bob]);
    const { rows } = record.current();
    const userId = userIds[user];
    const key = choice.pick([...rows.api_key.values()].filter((each) => each.userId === userId));
    const policy = [...rows.mfa_policy.values()].find((each) => each.userId === userId);
    if (policy !== undefined && !choice.chance(0.6)) {
      const request = asked('delete_mfa_policy', { userId, mfaPolicyId: policy.id });
      send(request, bodyOf(request), adminPair);
      return;
    }
    // No policy lets others delete keys of members of the root quorum, so the user uses another key.
    const request = asked('delete_api_keys', { userId, apiKeyIds: [key.id] });
    const pair = pairsOf(user).find(({ publicKey }) => publicKey !== key.publicKey);
    send(request, bodyOf(request), pair ?? assert.fail());
  }

  async function run(): Promise<void> {
    track.faults = choice.pick([weathers.calm, weathers.store]);
    const rename = asked('update_organization_name', { organizationName: newName });
    const renameBody = bodyOf(rename);
    const fingerprint = `sha256:${hex(sha256(renameBody))}`;
    const approve = asked('approve_activity', { fingerprint });
    const isQuiet = choice.chance(0.5);
    const by = (user: number, key: number): Sent => {
      return {
        user,
        pair: pairsOf(user)[key] ?? assert.fail(),
        atMs: track.now,
        isSameBody: false,
      };
    };
    send(rename, renameBody, by(ada, 0).pair, { ...by(ada, 0), isSameBody: true });
    await track.settle(() => underWay);
    const voters = choice.pick([
      [ada, ada, bob, bob],
      [ada, ada, cyd],
      [ada, ada, bob, bob, cyd],
    ]);
    const again = choice.some(voters, choice.below(3));
    for (const user of choice.some([...voters, ...again], 9)) {
      const one = by(user, choice.below(2));
      // The same body is a vote if another user sends it; from the submitter it adds nothing.
      const isSameBody = user !== ada && choice.chance(0.3);
      const [request, body] = isSameBody ? [rename, renameBody] : [approve, bodyOf(approve)];
      const sent = { ...one, atMs: track.now, isSameBody };
      send(request, body, one.pair, sent);
      if (choice.chance(0.3)) send(request, body, one.pair, sent);
      if (!isQuiet && choice.chance(0.25)) interfere();
      if (!isQuiet && choice.chance(0.04)) track.now += dayMs;
      while (choice.chance(0.5) && !schedule.isEmpty()) await track.step();
    }
    await track.settle(() => underWay);
    const done = record.activities().filter(({ type }) => type === renaming);
    if (done.length > 1) complain(`one body made ${done.length} activities`);
    // If the store committed nothing of the first request, another user is the submitter.
    const asker = userIds.indexOf(done[0]?.submitterId ?? '');
    const askedWith = done[0]?.votes.find(({ userId }) => userId === userIds[asker])?.publicKey;
    const shows = ({ user, pair, isSameBody }: Sent) =>
      !isSameBody || user !== asker || pair.publicKey === askedWith;
    const shown = (user: number) => {
      const counted = acknowledged.filter((one) => one.user === user && shows(one));
      return new Set(counted.map(({ pair }) => pair.publicKey));
    };
    const approvers = [ada, bob, cyd].filter((user) => shown(user).size >= (user === cyd ? 1 : 2));
    const isEnough = approvers.includes(asker) && approvers.length >= threshold;
    const isDone = done[0]?.status === 'ACTIVITY_STATUS_COMPLETED';
    count(`${isEnough ? 'enough' : 'too little'}, ${isDone ? 'done' : 'not done'}`);
    if (isQuiet && isEnough && !isDone) complain('all was shown, and it waits');
  }

  return track.run(async () => {
    await prepare();
    await run();
  });
}

const asked = (operation: string, parameters: object): Request => {
  return { operation, type: `ACTIVITY_TYPE_${operation.toUpperCase()}`, parameters };
};
