// One race: users of an organization sign at the same time under a limit over time. One or two nodes share
// a store that delays and reorders, nodes are killed, and their clocks differ. Everything follows from the
// seed.

import assert from 'node:assert/strict';
import { textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import { programs } from '../../src/core/chains/solana/programs.ts';
import type { Activity } from '../../src/core/organization/records/activity.ts';
import { build, u64 } from '../core/chains/solana/build.ts';
import { weathers } from '../simulation/faults.ts';
import { stampOf, startMs, type TestKey, testKey } from '../support/harness.ts';
import type { RaceResult } from '../support/race_command.ts';
import {
  createTrack,
  founding,
  keyNamed,
  openRaceStore,
  type RaceNode,
  startNode,
  userWithKeys,
} from '../votes/race_track.ts';
import { createLedger, type Limit, limitOf } from './ledger.ts';

/** The id of the key that signs, and its address on Solana. */
type Signer = { readonly signWith: string; readonly address: string };

const people = ['alice', 'bob'] as const;
const signing = ['ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2'];

/** Returns the command that repeats one race and prints its steps. */
export const reproduction = (seed: string): string =>
  `node test/limits/main.ts --cases 1 --seed ${seed} --log`;

/** Runs one race to its end or its first complaint. */
export async function race(seed: string): Promise<RaceResult> {
  const track = createTrack('limits', seed);
  const { choice, schedule, count, complain } = track;
  const limit: Limit = limitOf(choice);
  const ledger = createLedger(limit);
  count(limit.isSum ? 'of amounts' : 'of payloads');

  const { record, store } = openRaceStore(track, ({ activity }) => {
    if (!signing.includes(activity.type)) return;
    schedule.note(`  ${activity.status.slice(16)} at ${activity.updatedAtMs - startMs}`);
    count(activity.status.slice(16));
    // The last vote decides if a waiting activity fits the limit, so only its completion is judged.
    if (limit.needsVotes && activity.status !== 'ACTIVITY_STATUS_COMPLETED') return;
    for (const one of ledger.judge(entryOf(activity))) complain(`${activity.id}: ${one}`);
  });
  const nodeOn = async (name: string, skewMs: number) => ({
    ...(await startNode(track, store.portOf(name), name, skewMs)),
    name,
    underWay: 0,
  });
  /** The clocks of two nodes differ. */
  const someSkew = () => choice.pick([0, 0, 0, 700, -700, 90_000]);
  type Node = RaceNode & { readonly name: string; underWay: number };
  const nodes: Node[] = [];
  for (const name of ['first', 'second'].slice(0, choice.pick([1, 2, 2, 2]))) {
    nodes.push(await nodeOn(name, someSkew()));
  }

  type Answer = { readonly errorCode: string | undefined; readonly status: string | undefined };
  type Letter = { readonly operation: string; readonly body: Uint8Array; readonly key: TestKey };
  const letters: Letter[] = [];
  let results: unknown;

  function send(letter: Letter, to: Node, answered: (answer: Answer) => void): void {
    const { operation, body, key } = letter;
    to.underWay += 1;
    schedule.addAlone(to.name, `${operation} to ${to.name}`, async () => {
      const answer = await to.ask({
        requestId: `${letters.length}`,
        kind: 'submit',
        operation,
        headers: [stampOf(body, key)],
        timestampObjects: false,
        remoteAddress: '127.0.0.1',
        body: body.slice(),
      });
      schedule.addAlone(to.name, `${to.name} answers ${operation}`, () => {
        to.underWay -= 1;
        const told = JSON.parse(textOfUtf8(answer.body) ?? '');
        [results] = Object.values(told.activity?.result ?? {});
        count(answer.errorCode ?? 'acknowledged');
        if (answer.errorCode) schedule.note(`  ${told.message}`);
        answered({ errorCode: answer.errorCode, status: told.activity?.status });
      });
    });
  }

  function write(operation: string, type: string, parameters: object, key: TestKey): Letter {
    track.now += 1;
    const organizationId = record.organizationId();
    const timestampMs = String(track.now);
    const body = utf8(JSON.stringify({ type, timestampMs, organizationId, parameters }));
    return { operation, body, key };
  }

  /** Checks that an answered change became durable as the answer states. */
  function checkAnswer({ body }: Letter, { errorCode, status }: Answer): void {
    if (errorCode !== undefined || status !== 'ACTIVITY_STATUS_COMPLETED') return;
    const message = textOfUtf8(body);
    const kept = record.activities().filter((each) => each.votes[0]?.message === message);
    const done = kept.filter((each) => each.status === 'ACTIVITY_STATUS_COMPLETED');
    if (done.length !== 1) complain(`a signature was shown and is there ${done.length} times`);
  }

  const underWay = () => nodes.reduce((sum, node) => sum + node.underWay, 0);
  async function finish(): Promise<void> {
    await track.settle(underWay);
    await track.drain();
  }
  async function admin(operation: string, parameters: object, version = '') {
    const type = `ACTIVITY_TYPE_${operation.toUpperCase()}${version}`;
    const letter = write(operation, type, parameters, testKey('admin'));
    send(letter, nodes[0] ?? assert.fail(), ({ errorCode }) => assert.equal(errorCode, undefined));
    await finish();
    // biome-ignore lint/suspicious/noExplicitAny: results are looked into by path in tests
    return results as any;
  }

  /** Creates users, a key, the control, and a policy that lets users sign within the limit. */
  async function prepare(): Promise<Signer> {
    const founded = nodes[0]?.bootstrap(founding(testKey('admin').publicKey));
    await track.drain();
    await founded;
    const users = people.map((userName) => userWithKeys(userName, [keyNamed(userName)]));
    await admin('create_users', { users }, '_V4');
    const key = { privateKeyName: 'Key', curve: 'CURVE_ED25519', privateKeyTags: [] };
    const privateKeys = [{ ...key, addressFormats: ['ADDRESS_FORMAT_SOLANA'] }];
    const made = await admin('create_private_keys', { privateKeys }, '_V2');
    await admin('create_velocity_control', limit.control);
    const policy = {
      policyName: 'Within the limit',
      effect: 'EFFECT_ALLOW',
      condition: "activity.action == 'SIGN' && controls.limit",
      ...(limit.needsVotes ? { consensus: 'approvers.count() >= 2' } : {}),
      notes: '',
    };
    await admin('create_policy', policy, '_V3');
    const [{ privateKeyId, addresses }] = made.privateKeys;
    return { signWith: privateKeyId, address: addresses[0].address };
  }

  const signatures = ({ signWith, address }: Signer, amount: number, key: TestKey): Letter => {
    if (!limit.isSum) {
      const payloads = Array.from({ length: amount }, (_, i) => `payload ${i}`);
      const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8';
      const hashFunction = 'HASH_FUNCTION_NOT_APPLICABLE';
      const parameters = { signWith, payloads, encoding, hashFunction };
      return write('sign_raw_payloads', signing[0] ?? '', parameters, key);
    }
    const transfer = { program: 2, accounts: [0, 1], data: `02000000${u64(BigInt(amount))}` };
    const keys = [address, 2, programs.system];
    const unsignedTransaction = build({ keys, instructions: [transfer] }).toHex();
    const parameters = { signWith, unsignedTransaction, type: 'TRANSACTION_TYPE_SOLANA' };
    return write('sign_transaction', signing[1] ?? '', parameters, key);
  };

  const otherThan = (key: TestKey): TestKey =>
    people.map(testKey).find(({ publicKey }) => publicKey !== key.publicKey) ?? assert.fail();

  /** Sends a new request or an earlier one again, or ends a node. */
  async function act(signer: Signer): Promise<void> {
    const to = choice.pick(nodes);
    const again = limit.needsVotes ? 8 : 1;
    const kind = choice.weighted({ sign: 8, again, kill: 0.7 });
    if (kind === 'kill') {
      count('killed');
      schedule.note(`${to.name} is killed`);
      // Messages that the node sent still reach the store, but the node gets no answers.
      schedule.dropOwned(to.name);
      const name = `${to.name}+`;
      nodes[nodes.indexOf(to)] = await nodeOn(name, someSkew());
      return;
    }
    const isAgain = kind === 'again' && letters.length > 0;
    const known = isAgain ? choice.pick(letters.slice(-5)) : undefined;
    // The same body from another user is a vote.
    const isVote = limit.needsVotes && choice.chance(0.8);
    const letter = known
      ? { ...known, key: isVote ? otherThan(known.key) : known.key }
      : signatures(signer, choice.pick([1, 1, 1, 2, 3]), testKey(choice.pick(people)));
    if (!isAgain) letters.push(letter);
    send(letter, to, (answer) => checkAnswer(letter, answer));
  }

  async function run(signer: Signer): Promise<void> {
    const busiest = choice.pick([2, 4, 8]);
    const wanted = 8 + choice.below(16);
    track.faults = choice.pick([weathers.calm, weathers.calm, weathers.store]);
    for (let done = 0; done < wanted; ) {
      if (choice.chance(0.01))
        track.now += choice.pick([1_000, Math.floor(limit.windowMs / 3), limit.windowMs]);
      if (underWay() < busiest && (schedule.isEmpty() || choice.chance(0.3))) {
        await act(signer);
        done += 1;
      }
      if (!schedule.isEmpty()) await track.step();
    }
    track.faults = weathers.calm;
    await finish();
  }

  /** At the end each group can use exactly the rest of its limit. */
  async function takeTheRest(signer: Signer): Promise<void> {
    const fresh = await nodeOn('fresh', 0);
    nodes.splice(0, nodes.length, fresh);
    for (const name of limit.isByUser ? people : people.slice(0, 1)) {
      track.now += 100_000;
      const key = testKey(name);
      const userId = userIdOf(name);
      const left = ledger.left(userId, track.now + 1);
      if (left > 0) {
        const code = await take(signer, left, key, fresh);
        if (code !== undefined) complain(`${left} were left, and refused: ${code}`);
      }
      // A part of the amount may have left the window in the millisecond since then.
      const isAbove = ledger.left(userId, track.now + 1) < 1;
      const code = await take(signer, 1, key, fresh);
      if ((code === 'not_permitted') !== isAbove) complain(`one more: ${code}`);
    }
  }

  /** Signs with all required votes. Returns the code of a refusal. */
  async function take(signer: Signer, amount: number, key: TestKey, node: Node) {
    const letter = signatures(signer, amount, key);
    let code: string | undefined;
    send(letter, node, ({ errorCode }) => {
      code = errorCode;
    });
    await finish();
    if (!limit.needsVotes || code !== undefined) return code;
    send({ ...letter, key: otherThan(key) }, node, ({ errorCode, status }) => {
      code = errorCode ?? (status === 'ACTIVITY_STATUS_COMPLETED' ? undefined : status);
    });
    await finish();
    return code;
  }

  const userIdOf = (name: string): string =>
    [...record.current().rows.user.values()].find((user) => user.name === name)?.id ?? '';

  return track.run(async () => {
    const signer = await prepare();
    await run(signer);
    await takeTheRest(signer);
  });
}

function entryOf({ votes, status, updatedAtMs, submitterId }: Activity) {
  const { parameters } = JSON.parse(votes[0]?.message ?? '');
  const { payloads, unsignedTransaction } = parameters;
  // The lamports are the last eight bytes in little-endian order.
  const amount: number = payloads?.length ?? parseInt(unsignedTransaction.slice(-16, -14), 16);
  const isDone = status === 'ACTIVITY_STATUS_COMPLETED';
  return { userId: submitterId, amount, isDone, atMs: updatedAtMs };
}
