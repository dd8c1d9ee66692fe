// One race: requests sign, export, seal and unseal on two nodes, over a store that delays and reorders, while
// nodes are killed. The seed determines the whole race.

import assert from 'node:assert/strict';
import { textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import { targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { weathers } from '../simulation/faults.ts';
import { stampOf, testKey } from '../support/harness.ts';
import { derivation, sealedSecret, secretOf } from '../support/organization_keys.ts';
import type { RaceResult } from '../support/race_command.ts';
import type { Step } from '../votes/race_record.ts';
import {
  createTrack,
  founding,
  openRaceStore,
  type RaceNode,
  startNode,
} from '../votes/race_track.ts';

/** The types of a race's activities that use the key of the organization. */
const releasing: ReadonlySet<string> = new Set([
  'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY',
]);

type Node = RaceNode & { readonly name: string; underWay: number; ephemeralKey: string };
type Kind = 'submit' | 'query';

/** Runs one race to its end or its first complaint. */
export async function race(seed: string): Promise<RaceResult> {
  const track = createTrack('organization keys', seed);
  const { choice, schedule, count, complain } = track;
  const admin = testKey('admin');
  /** The numbers of seals at which a node created or unsealed the key. */
  const unsealed = new Set<number>();

  function judge({ activity: { type, status, id }, before }: Step): void {
    if (status !== 'ACTIVITY_STATUS_COMPLETED') return;
    const { organizationKey } = before.head;
    if (type === 'ACTIVITY_TYPE_CREATE_ORGANIZATION_KEY') unsealed.add(0);
    if (organizationKey === undefined) return;
    if (type === 'ACTIVITY_TYPE_UNSEAL_ORGANIZATION') unsealed.add(organizationKey.seals);
    if (releasing.has(type) && !unsealed.has(organizationKey.seals)) {
      complain(`${id}: ${type} although the organization is sealed`);
    }
  }
  const { record, store } = openRaceStore(track, (step) => {
    const { type, status } = step.activity;
    schedule.note(`  ${type.slice(14)} ${status.slice(16)}`);
    count(`${type.slice(14)} ${status.slice(16)}`);
    judge(step);
  });
  const nodeOn = async (name: string): Promise<Node> => ({
    ...(await startNode(track, store.portOf(name), name)),
    name,
    underWay: 0,
    ephemeralKey: '',
  });
  const nodes = [await nodeOn('first'), await nodeOn('second')];
  const first = () => nodes[0] ?? assert.fail();
  const underWay = () => nodes.reduce((sum, node) => sum + node.underWay, 0);

  // biome-ignore lint/suspicious/noExplicitAny: results are looked into by path in tests
  type Read = (answer: any) => void;

  function send(kind: Kind, operation: string, body: Uint8Array, to: Node, read?: Read): void {
    to.underWay += 1;
    schedule.addAlone(to.name, `${operation} to ${to.name}`, async () => {
      const answer = await to.ask({
        requestId: operation,
        kind,
        operation,
        headers: [stampOf(body, admin)],
        timestampObjects: false,
        remoteAddress: '127.0.0.1',
        body: body.slice(),
      });
      schedule.addAlone(to.name, `${to.name} answers ${operation}`, () => {
        to.underWay -= 1;
        count(answer.errorCode ?? 'acknowledged');
        if (answer.errorCode === undefined) read?.(JSON.parse(textOfUtf8(answer.body) ?? ''));
      });
    });
  }

  function submit(operation: string, version: string, parameters: object, to: Node, read?: Read) {
    track.now += 1;
    const type = `ACTIVITY_TYPE_${operation.toUpperCase()}${version}`;
    const organizationId = record.organizationId();
    const timestampMs = String(track.now);
    const body = utf8(JSON.stringify({ type, timestampMs, organizationId, parameters }));
    send('submit', operation, body, to, read);
  }

  /** Fetches the ephemeral key of a node. */
  function learn(to: Node): void {
    const body = utf8(JSON.stringify({ organizationId: record.organizationId() }));
    send('query', 'get_latest_boot_proof', body, to, ({ bootProof }) => {
      to.ephemeralKey = bootProof.ephemeralPublicKeyHex;
    });
  }

  async function finish(): Promise<void> {
    await track.settle(underWay);
    await track.drain();
  }

  const secretTo = (to: Node, purpose: 'hold' | 'unseal') => {
    const { organizationKey: mark } = record.current().head;
    const organizationId = record.organizationId();
    const place = { ephemeralKey: to.ephemeralKey, organizationId, purpose, mark };
    return sealedSecret(secretOf('treasurer'), place);
  };

  async function prepare(): Promise<string> {
    const founded = first().bootstrap(founding(admin.publicKey));
    await track.drain();
    await founded;
    const key = { privateKeyName: 'Key', curve: 'CURVE_SECP256K1', privateKeyTags: [] };
    const privateKeys = [{ ...key, addressFormats: [] }];
    let keyId = '';
    submit('create_private_keys', '_V2', { privateKeys }, first(), ({ activity }) => {
      keyId = activity.result.createPrivateKeysResultV2.privateKeys[0].privateKeyId;
    });
    for (const node of nodes) learn(node);
    await finish();
    const holder = { holderName: 'treasurer', type: 'KEY_HOLDER_TYPE_PASSPHRASE', derivation };
    const encryptedSecret = secretTo(first(), 'hold');
    submit('create_organization_key', '', { ...holder, encryptedSecret }, first());
    await finish();
    assert(record.current().head.organizationKey !== undefined, 'the organization has a key');
    return keyId;
  }

  function sign(signWith: string, to: Node): void {
    const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8';
    const form = { encoding, hashFunction: 'HASH_FUNCTION_SHA256' };
    submit('sign_raw_payload', '_V2', { signWith, payload: 'one', ...form }, to);
  }

  function unseal(to: Node): void {
    const holderId = record.current().head.organizationKey?.holders[0]?.id;
    const encryptedSecret = secretTo(to, 'unseal');
    submit('unseal_organization', '', { holderId, encryptedSecret }, to);
  }

  async function act(keyId: string): Promise<void> {
    const to = choice.pick(nodes);
    const kind = choice.weighted({ sign: 8, export: 1, seal: 2, unseal: 3, kill: 0.5 });
    if (kind === 'sign') sign(keyId, to);
    else if (kind === 'export') {
      const parameters = { privateKeyId: keyId, targetPublicKey };
      submit('export_private_key', '', parameters, to);
    } else if (kind === 'seal') submit('seal_organization', '', {}, to);
    else if (kind === 'kill') {
      count('killed');
      schedule.dropOwned(to.name);
      const next = await nodeOn(`${to.name}+`);
      nodes[nodes.indexOf(to)] = next;
      learn(next);
    } else if (to.ephemeralKey !== '') unseal(to);
  }

  return track.run(async () => {
    const keyId = await prepare();
    const busiest = choice.pick([2, 4, 8]);
    const wanted = 12 + choice.below(20);
    track.faults = choice.pick([weathers.calm, weathers.calm, weathers.store]);
    for (let done = 0; done < wanted; ) {
      if (underWay() < busiest && (schedule.isEmpty() || choice.chance(0.3))) {
        await act(keyId);
        done += 1;
      }
      if (!schedule.isEmpty()) await track.step();
    }
    track.faults = weathers.calm;
    await finish();
    // After the race, a fresh node is unsealed and signs.
    const fresh = await nodeOn('fresh');
    nodes.splice(0, nodes.length, fresh);
    learn(fresh);
    await finish();
    track.now += 3_600_000;
    unseal(fresh);
    await finish();
    let isSigned = false;
    const form = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' };
    const parameters = { signWith: keyId, payload: 'at rest', ...form };
    submit('sign_raw_payload', '_V2', parameters, fresh, () => {
      isSigned = true;
    });
    await finish();
    if (!isSigned) complain('an unsealed organization does not sign');
  });
}
