// One race: users of an organization submit, vote and reject while its users, keys, policies and root
// quorum change. All requests run concurrently, on one or two enclaves with one store that delays and
// reorders. Everything follows from the seed.

import assert from 'node:assert/strict';
import { textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import type { Choice } from '../simulation/choice.ts';
import { weathers } from '../simulation/faults.ts';
import { type KeyPair, keyPairOf } from '../simulation/key_pairs.ts';
import type { RaceResult } from '../support/race_command.ts';
import { type Action, actions, type RaceWorld } from './race_actions.ts';
import {
  answerComplaints,
  type Letter,
  restComplaints,
  silenceComplaints,
} from './race_answers.ts';
import {
  adminPair,
  adminText,
  allowRules,
  denyRules,
  gateText,
  keysOf,
  names,
  pairsOf,
  ruleOfUser,
} from './race_cast.ts';
import { type Rules, stepComplaints } from './race_judge.ts';
import { createTrack, founding, openRaceStore, startNode, userWithKeys } from './race_track.ts';

/** The number of requests of a race after its preparation. */
const [fewestActions, mostActions] = [5, 14];

/** Returns the command that repeats one race and prints its steps. */
export const reproduction = (seed: string): string =>
  `node test/votes/main.ts --cases 1 --seed ${seed} --log`;

/** Runs one race to its end or its first complaint. */
export async function race(seed: string): Promise<RaceResult> {
  const track = createTrack('race', seed);
  const { choice, schedule, count, complain } = track;

  let rules: Rules = new Map();
  const { record, store } = openRaceStore(track, (step) => {
    const { activity } = step;
    const what = `${activity.type.slice(14)} ${activity.status.slice(16)}`;
    schedule.note(
      `  ${what} with ${activity.votes.length} votes at version ${step.before.version}`,
    );
    count(activity.version === 1 ? `${what} at once` : `${what} by votes`);
    for (const one of stepComplaints(step, rules)) complain(`${what} ${activity.id}: ${one}`);
  });
  const nodes = await Promise.all(
    ['first', 'second']
      .slice(0, choice.pick([1, 2, 2]))
      .map((name) => startNode(track, store.portOf(name), name)),
  );
  const [node] = nodes;
  assert(node !== undefined);

  const letters: Letter[] = [];
  let underWay = 0;

  /** Sends a request, and judges the answer when it arrives. */
  function send(letter: Letter, to: (typeof nodes)[number]): void {
    underWay += 1;
    const since = record.current().version;
    const seen = record.versionsOf(letter.activityId ?? '').length;
    const { what, operation, body, stamp } = letter;
    const asked = { requestId: what, kind: 'submit', operation, headers: [stamp] } as const;
    schedule.addAlone('people', `${what} to node ${nodes.indexOf(to)}`, async () => {
      const answer = await to.ask({
        ...asked,
        timestampObjects: false,
        remoteAddress: '127.0.0.1',
        body: body.slice(),
      });
      schedule.addAlone('people', `${what} is answered`, () => {
        underWay -= 1;
        const told = { ...answer, body: JSON.parse(textOfUtf8(answer.body) ?? '') };
        letter.answers.push(told.errorCode ?? 'acknowledged');
        count(told.errorCode ?? 'acknowledged');
        schedule.note(`  ${told.errorCode ?? told.body.activity.status}`);
        const sent = { since, seen, record, rules, now: track.now };
        for (const one of answerComplaints(letter, told, sent)) complain(`${what}: ${one}`);
      });
    });
  }

  function write(action: Action, pair: KeyPair, by: string): Letter {
    track.now += 1;
    const { operation, type, parameters, activityId } = action;
    const organizationId = record.organizationId();
    const timestampMs = String(track.now);
    const body = utf8(JSON.stringify({ type, timestampMs, organizationId, parameters }));
    const what = `${letters.length} ${operation} by ${by} ${JSON.stringify(parameters).slice(0, 90)}`;
    const stamp = pair.stamp(body);
    const { publicKey } = pair;
    const letter = { what, operation, body, stamp, publicKey, activityId, answers: [] };
    letters.push(letter);
    return letter;
  }

  async function admin(operation: string, parameters: object, version = '') {
    const type = `ACTIVITY_TYPE_${operation.toUpperCase()}${version}`;
    send(write({ operation, type, parameters }, adminPair, 'admin'), node ?? assert.fail());
    await track.settle(() => underWay);
    const [result] = Object.values(record.activities().at(-1)?.result ?? {});
    // biome-ignore lint/suspicious/noExplicitAny: results are looked into by path in tests
    return result as any;
  }

  /** Creates users, a tag, a key, policies, and a root quorum without the admin. */
  async function prepare(): Promise<RaceWorld> {
    const founded = node?.bootstrap(founding(adminPair.publicKey));
    await track.drain();
    const { userId: adminId } = await (founded ?? assert.fail());
    rules = new Map();
    const users = names.map((userName, i) => userWithKeys(userName, keysOf(userName, i)));
    const { userIds } = await admin('create_users', { users }, '_V4');
    const tagged = userIds.slice(3);
    const { userTagId } = await admin('create_user_tag', { userTagName: 'T', userIds: tagged });
    const key = {
      privateKeyName: 'Key',
      curve: 'CURVE_ED25519',
      privateKeyTags: [],
      addressFormats: ['ADDRESS_FORMAT_SOLANA'],
    };
    const { privateKeys } = await admin('create_private_keys', { privateKeys: [key] }, '_V2');
    const adminRule = ruleOfUser(adminId);
    const allowing = allowRules(userTagId, userIds);
    const denying = denyRules(userIds);
    rules = new Map([adminRule, ...allowing, ...denying].map((rule) => [rule.text, rule]));
    const policy = (policyName: string, condition: string, consensus: string) => ({
      policyName,
      effect: 'EFFECT_ALLOW',
      condition,
      consensus,
      notes: '',
    });
    const policies = [
      policy('admin', adminText, adminRule.text),
      policy('gate', gateText, choice.pick(allowing).text),
    ];
    const { policyIds } = await admin('create_policies', { policies });
    const quorum = { threshold: choice.pick([1, 2, 2, 2, 3]), userIds: userIds.slice(0, 3) };
    await admin('update_root_quorum', quorum);
    return {
      choice,
      record,
      adminId,
      tagId: userTagId,
      userIds,
      gatePolicyId: policyIds[1],
      signWith: privateKeys[0].privateKeyId,
      allowing,
      denying,
      serial: () => letters.length,
    };
  }

  /** Sends a new request, an earlier body from another user, or an earlier request again. */
  function act(world: RaceWorld): void {
    const to = choice.pick(nodes);
    const kind = choice.weighted({ one: 7, burst: 1.5, again: 0.8, same: 1 });
    if (kind === 'again') send(choice.pick(letters.slice(-6)), to);
    else if (kind === 'one') ask(choice.weighted(weightsOf(choice)), world);
    else if (kind === 'burst') {
      // Several users send the same kind of request while a relevant row changes.
      const common = choice.pick(['approve', 'approve', 'approve', 'sign'] as const);
      for (const name of [common, common, common, choice.pick(edits)]) ask(name, world);
    } else {
      const bodies = letters.filter(({ activityId }) => activityId === undefined).slice(-6);
      const letter = choice.pick(bodies);
      const { name, pair } = someVoter(world);
      const what = `${letters.length} the body of ${letter.what.split(' ')[0]} by ${name}`;
      const { publicKey } = pair;
      const stamp = pair.stamp(letter.body);
      const copy: Letter = { ...letter, what, stamp, publicKey, answers: [] };
      letters.push(copy);
      send(copy, to);
    }
  }

  function ask(name: keyof typeof actions, world: RaceWorld): void {
    const action = actions[name](world);
    if (action === undefined) return;
    const voter = someVoter(world);
    const by = action.byAdmin === true ? { name: 'admin', pair: adminPair } : voter;
    const letter = write(action, by.pair, by.name);
    send(letter, choice.pick(nodes));
    if (choice.chance(0.1)) send(letter, choice.pick(nodes));
  }

  async function run(world: RaceWorld): Promise<void> {
    const busiest = choice.pick([1, 2, 4, 7]);
    const wanted = fewestActions + choice.below(mostActions - fewestActions);
    track.faults = choice.pick([weathers.calm, weathers.calm, weathers.store]);
    for (let done = 0; done < wanted; ) {
      if (choice.chance(0.01)) track.now += choice.pick([1000, 60_000, 43_200_000, 86_400_000]);
      if (underWay < busiest && (schedule.isEmpty() || choice.chance(0.25))) {
        act(world);
        done += 1;
      }
      if (!schedule.isEmpty()) await track.step();
    }
    track.faults = weathers.calm;
    await track.settle(() => underWay);
    await track.drain();
  }

  return track.run(async () => {
    const world = await prepare();
    await run(world);
    for (const one of silenceComplaints(letters, record)) complain(one);
    const fresh = await startNode(track, store.durable, 'fresh enclave');
    const readers = choice.some([...record.current().rows.api_key.values()], 2);
    for (const one of await restComplaints(fresh, readers, { record, rules, now: track.now }))
      complain(one);
  });
}

/** Returns a voter with one of its keys, sometimes a deleted one. */
function someVoter({ choice, record, userIds }: RaceWorld): { name: string; pair: KeyPair } {
  const i = choice.below(names.length);
  const name = names[i] ?? 'ada';
  const { rows } = record.current();
  const held = [...rows.api_key.values()].filter(({ userId }) => userId === userIds[i]);
  const pairs = held.flatMap(({ publicKey }) => keyPairOf(publicKey) ?? []);
  const mayBeGone = pairs.length === 0 || choice.chance(0.1);
  // The first pair signs fastest.
  const [fast] = pairs;
  if (fast !== undefined && choice.chance(0.6)) return { name, pair: fast };
  return { name, pair: choice.pick(mayBeGone ? pairsOf(i) : pairs) };
}

/** Changes that run while votes are pending. */
const edits = [
  'reject',
  'editGate',
  'makeDeny',
  'removeUser',
  'removeKey',
  'moveTag',
] as const satisfies readonly (keyof typeof actions)[];

/** Returns the weights of actions; each race makes some more frequent. */
function weightsOf(choice: Choice): Record<keyof typeof actions, number> {
  const rare = choice.chance(0.5) ? 0.3 : 0.8;
  return {
    approve: 9,
    reject: 1,
    rename: 1.5,
    quorum: 0.8,
    tag: 2,
    sign: 2,
    editGate: rare,
    makeDeny: rare * 0.6,
    dropDeny: rare * 0.5,
    removeUser: rare * 0.7,
    removeKey: rare,
    returnKey: rare,
    moveTag: rare * 0.7,
  };
}
