// One race: users sign, export, send and vote while a guard freezes and the root user lifts freezes. One or
// two nodes share a store that delays and reorders, and nodes are killed. Everything follows from the seed.

import assert from 'node:assert/strict';
import { textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import { describedSend, sendChain } from '../operations/sending/send_requests.ts';
import { targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { weathers } from '../simulation/faults.ts';
import { stampOf, type TestKey, testKey } from '../support/harness.ts';
import type { RaceResult } from '../support/race_command.ts';
import type { State, Step } from '../votes/race_record.ts';
import {
  createTrack,
  founding,
  keyNamed,
  openRaceStore,
  type RaceNode,
  startNode,
  userWithKeys,
} from '../votes/race_track.ts';

const people = ['alice', 'bob', 'guard'] as const;
type Person = (typeof people)[number];

/** Returns the command that repeats one race and prints its steps. */
export const reproduction = (seed: string): string =>
  `node test/freezes/main.ts --cases 1 --seed ${seed} --log`;

/** The types of a race's activities that release something. */
const releasing: ReadonlySet<string> = new Set([
  'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
  'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY',
  'ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2',
]);

/** Returns complaints about a durable change, judged by the rows right before it. */
function judge({ activity, before }: Step): string[] {
  if (activity.status !== 'ACTIVITY_STATUS_COMPLETED') return [];
  const complaints: string[] = [];
  const voters = activity.votes.map(({ userId }) => userId);
  if (activity.type !== 'ACTIVITY_TYPE_DELETE_FREEZE') {
    for (const id of new Set([activity.submitterId, ...voters])) {
      if (isFrozen(before, id)) complaints.push(`${activity.type} by ${id}, who was frozen`);
    }
  }
  if (releasing.has(activity.type) && isKeyFrozen(before)) {
    complaints.push(`${activity.type} although it was frozen`);
  }
  return complaints;
}

const isFrozen = ({ rows }: State, id: string) =>
  [...rows.freeze.values()].some(({ resourceId }) => resourceId === id);

/** Every freeze except that of a user concerns the only key of the organization. */
const isKeyFrozen = ({ rows }: State) =>
  [...rows.freeze.values()].some(({ type }) => type !== 'FREEZE_TYPE_USER');

/** Runs one race to its end or its first complaint. */
export async function race(seed: string): Promise<RaceResult> {
  const track = createTrack('freezes', seed);
  const { choice, schedule, count, complain } = track;
  const needsVotes = choice.chance(0.4);
  /** Grows with each change of freezes. */
  let freezeChanges = 0;
  const { record, store } = openRaceStore(track, (step) => {
    const { type, status } = step.activity;
    if (type.endsWith('_FREEZE')) freezeChanges += 1;
    schedule.note(`  ${type.slice(14)} ${status.slice(16)}`);
    count(`${type.slice(14)} ${status.slice(16)}`);
    for (const one of judge(step)) complain(`${step.activity.id}: ${one}`);
  });
  const nodeOn = async (name: string) => ({
    ...(await startNode(track, store.portOf(name), name)),
    name,
    underWay: 0,
  });
  type Node = RaceNode & { readonly name: string; underWay: number };
  const nodes: Node[] = [];
  for (const name of ['first', 'second'].slice(0, choice.pick([1, 2, 2, 2]))) {
    nodes.push(await nodeOn(name));
  }

  type Letter = { readonly operation: string; readonly body: Uint8Array; readonly key: TestKey };
  const letters: Letter[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: results are looked into by path in tests
  let result: any;

  function send({ operation, body, key }: Letter, to: Node, mustSucceed = false): void {
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
        [result] = Object.values(told.activity?.result ?? {});
        count(answer.errorCode ?? 'acknowledged');
        if (mustSucceed) assert.equal(answer.errorCode, undefined, told.message);
      });
    });
  }

  /**
   * Asks a node for transactions to send. A freeze that lasts from the question to the answer must withhold
   * them.
   */
  function look(to: Node): void {
    to.underWay += 1;
    schedule.addAlone(to.name, `look of ${to.name}`, async () => {
      const [before, frozen] = [freezeChanges, isKeyFrozen(record.current())];
      const asked = async () => to.unsettledSends({ caip2: sendChain });
      // The store may be unavailable.
      const sends = await asked().catch(() => []);
      const isReleased = sends.some(({ signedTransaction }) => signedTransaction !== '');
      to.underWay -= 1;
      if (sends.length > 0) count(isReleased ? 'released' : 'withheld');
      const isSame = before === freezeChanges;
      if (isSame && frozen && isReleased) complain('a frozen transaction is released');
      if (isSame && !frozen && sends.length > 0 && !isReleased && !isAnyFrozen()) {
        complain('a transaction is withheld without a freeze');
      }
    });
  }
  const isAnyFrozen = () => record.current().rows.freeze.size > 0;

  function write(operation: string, version: string, parameters: object, key: TestKey): Letter {
    track.now += 1;
    const type = `ACTIVITY_TYPE_${operation.toUpperCase()}${version}`;
    const organizationId = record.organizationId();
    const timestampMs = String(track.now);
    const body = utf8(JSON.stringify({ type, timestampMs, organizationId, parameters }));
    return { operation, body, key };
  }

  const underWay = () => nodes.reduce((sum, node) => sum + node.underWay, 0);
  async function finish(): Promise<void> {
    await track.settle(underWay);
    await track.drain();
  }
  async function admin(operation: string, version: string, parameters: object) {
    const to = nodes[0] ?? assert.fail();
    send(write(operation, version, parameters, testKey('admin')), to, true);
    await finish();
    return result;
  }

  /**
   * Creates users, a key, and policies: one or two users sign, each user exports, and the guard freezes.
   */
  async function prepare(): Promise<{ readonly keyId: string; readonly address: string }> {
    const founded = nodes[0]?.bootstrap(founding(testKey('admin').publicKey));
    await track.drain();
    await founded;
    const users = people.map((userName) => userWithKeys(userName, [keyNamed(userName)]));
    await admin('create_users', '_V4', { users });
    const key = { privateKeyName: 'Key', curve: 'CURVE_SECP256K1', privateKeyTags: [] };
    const privateKeys = [{ ...key, addressFormats: ['ADDRESS_FORMAT_ETHEREUM'] }];
    const made = await admin('create_private_keys', '_V2', { privateKeys });
    const policy = { effect: 'EFFECT_ALLOW', notes: '' };
    const two = needsVotes ? { consensus: 'approvers.count() >= 2' } : {};
    const condition = "activity.action == 'SIGN' || activity.action == 'EXPORT'";
    await admin('create_policy', '_V3', { ...policy, ...two, policyName: 'Uses', condition });
    await admin('create_policy', '_V3', {
      ...policy,
      policyName: 'Freezes',
      condition: "activity.kind == 'CREATE_FREEZE'",
      consensus: `approvers.any(user, user.id == '${userIdOf('guard')}')`,
    });
    const [{ privateKeyId, addresses }] = made.privateKeys;
    return { keyId: privateKeyId, address: addresses[0].address };
  }

  const userIdOf = (name: Person): string =>
    [...record.current().rows.user.values()].find((user) => user.name === name)?.id ?? '';

  const payloadForm = {
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  };

  function use({ keyId: signWith, address }: { keyId: string; address: string }): Letter {
    const key = testKey(choice.pick(['alice', 'bob']));
    const kind = choice.weighted({ sign: 6, batch: 3, send: 2, export: 1 });
    if (kind === 'sign') {
      return write('sign_raw_payload', '_V2', { signWith, payload: 'one', ...payloadForm }, key);
    }
    if (kind === 'batch') {
      const payloads = ['one', 'two', 'three'];
      return write('sign_raw_payloads', '', { signWith, payloads, ...payloadForm }, key);
    }
    if (kind === 'send') return write('eth_send_transaction', '_V2', describedSend(address), key);
    const parameters = { privateKeyId: signWith, targetPublicKey };
    return write('export_private_key', '', parameters, key);
  }

  function freeze(keyId: string): Letter {
    const type = choice.pick(['ORGANIZATION', 'DEPLOYMENT', 'PRIVATE_KEY', 'USER']);
    const ids: Readonly<Record<string, string>> = {
      PRIVATE_KEY: keyId,
      USER: userIdOf(choice.pick(['alice', 'bob'])),
    };
    const resource = ids[type] === undefined ? {} : { resourceId: ids[type] };
    return write(
      'create_freeze',
      '',
      { type: `FREEZE_TYPE_${type}`, ...resource },
      testKey('guard'),
    );
  }

  /**
   * Sends a new request, an earlier one as a vote, a freeze, a lift or a query of sends, or ends a node.
   */
  async function act(signer: { keyId: string; address: string }): Promise<void> {
    const to = choice.pick(nodes);
    const again = needsVotes ? 8 : 1;
    const kind = choice.weighted({ use: 8, again, freeze: 2, lift: 3, look: 2, kill: 0.5 });
    if (kind === 'look') return look(to);
    if (kind === 'kill') {
      count('killed');
      schedule.dropOwned(to.name);
      nodes[nodes.indexOf(to)] = await nodeOn(`${to.name}+`);
      return;
    }
    if (kind === 'freeze') return send(freeze(signer.keyId), to);
    if (kind === 'lift') {
      const [freezeId] = choice.some([...record.current().rows.freeze.keys()], 1);
      if (freezeId !== undefined) {
        send(write('delete_freeze', '', { freezeId }, testKey('admin')), to);
      }
      return;
    }
    const known =
      kind === 'again' && letters.length > 0 ? choice.pick(letters.slice(-5)) : undefined;
    if (known !== undefined) {
      // The same body from another user is a vote.
      return send({ ...known, key: testKey(choice.pick(['alice', 'bob'])) }, to);
    }
    const letter = use(signer);
    letters.push(letter);
    send(letter, to);
  }

  async function run(signer: { keyId: string; address: string }): Promise<void> {
    const busiest = choice.pick([2, 4, 8]);
    const wanted = 12 + choice.below(20);
    track.faults = choice.pick([weathers.calm, weathers.calm, weathers.store]);
    for (let done = 0; done < wanted; ) {
      if (underWay() < busiest && (schedule.isEmpty() || choice.chance(0.3))) {
        await act(signer);
        done += 1;
      }
      if (!schedule.isEmpty()) await track.step();
    }
    track.faults = weathers.calm;
    await finish();
  }

  /** At the end the root user lifts each freeze, and signs. */
  async function liftAll(signer: { keyId: string }): Promise<void> {
    nodes.splice(0, nodes.length, await nodeOn('fresh'));
    for (const freezeId of record.current().rows.freeze.keys()) {
      await admin('delete_freeze', '', { freezeId });
    }
    const parameters = { signWith: signer.keyId, payload: 'at rest', ...payloadForm };
    await admin('sign_raw_payload', '_V2', parameters);
  }

  return track.run(async () => {
    const signer = await prepare();
    await run(signer);
    await liftAll(signer);
  });
}
