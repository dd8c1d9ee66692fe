// Random stamps sent to a whole enclave in memory. Each case follows from the seed and its number, so one
// of a million can be repeated alone.

import assert from 'node:assert/strict';
import { base64url, hex, utf8 } from '../../src/core/base/bytes.ts';
import type { CredentialType } from '../../src/core/base/enums.ts';
import { addChild, changeOrganization } from '../operations/other_callers.ts';
import { type SchemeKey, schemeKeys } from '../pipeline/requests.ts';
import {
  startTestService,
  type TestAnswer,
  type TestService,
  testKey,
} from '../support/harness.ts';
import { type Random, randomOf } from './random.ts';
import { mutations, type Place, type Surroundings } from './stamp_mutations.ts';
import { proofOf, type SentHeader } from './stamp_oracle.ts';
import { type Strained, watchStrain } from './strain.ts';

export type FuzzOptions = {
  readonly cases: number;
  readonly seed: string;
  /** The number of the first case. */
  readonly from?: number;
  /** Called at intervals with the number of completed cases. */
  readonly progress?: (done: number) => void;
};

export type FuzzResult = {
  readonly accepted: number;
  readonly refused: number;
  /** The number of uses of each mutation. */
  readonly used: ReadonlyMap<string, number>;
  readonly strained: Strained;
};

/**
 * Sends this number of cases and compares every answer with that of the oracle; fails at the first
 * difference.
 */
export async function fuzzStamps(options: FuzzOptions): Promise<FuzzResult> {
  const { cases, seed, from = 0, progress } = options;
  const world = await startWorld();
  const used = new Map<string, number>();
  const strain = watchStrain(cases);
  let accepted = 0;
  for (let i = from; i < from + cases; i += 1) {
    const sent = makeCase(world, randomOf(`${seed}/${i}`));
    const answer = await world.service.send(sent.kind, sent.operation, sent.body, sent.headers);
    const what = () =>
      JSON.stringify({ seed, number: i, ...sent, body: hex(sent.body), answer }, undefined, 1);
    const isGood = isAcceptable(world, sent);
    assert.ok(!sent.isHarmless || isGood, `harmless, but no proof: ${what()}`);
    assert.equal(answer.status === 200, isGood, what());
    if (answer.status === 200) accepted += 1;
    else assertRefusal(answer, what);
    for (const name of sent.mutations) used.set(name, (used.get(name) ?? 0) + 1);
    progress?.(i - from + 1);
    await strain.done(i - from + 1);
  }
  const strained = strain.end();
  world.service.close();
  assert.deepEqual(world.logged, [], 'nothing was unforeseen');
  return { accepted, refused: cases - accepted, used, strained };
}

/** The names of all mutations. */
export const mutationNames: readonly string[] = Object.values(mutations)
  .flat()
  .map(({ name }) => name);

/** The user of a key, with its rights. */
type Holder = {
  readonly organizationId: string;
  readonly type: CredentialType;
  readonly isExpired: boolean;
};

type Target = Place & { readonly organizationId: string };

const renameOperation = 'update_organization_name';
const renameType = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';

type World = {
  readonly service: TestService;
  /** Lines that the enclave wrote for its operator. */
  readonly logged: readonly string[];
  readonly signers: readonly SchemeKey[];
  /** By public key, lower-case hex. */
  readonly holders: ReadonlyMap<string, readonly Holder[]>;
  readonly targets: readonly Target[];
  readonly childId: string;
  readonly samples: readonly Sample[];
};

/** A request with a valid stamp. */
type Sample = Target & {
  readonly body: Uint8Array;
  readonly signer: SchemeKey;
  readonly signature: Uint8Array;
  readonly otherSignature: Uint8Array;
};

type Case = Target & {
  readonly body: Uint8Array;
  readonly headers: readonly SentHeader[];
  readonly mutations: readonly string[];
  /** True if all mutations are ones that clients may make, so the request must be accepted. */
  readonly isHarmless: boolean;
};

async function startWorld(): Promise<World> {
  const logged: string[] = [];
  const service = await startTestService({ log: logged });
  const { organizationId } = service.root;
  const holders = new Map<string, Holder[]>();
  const hold = (publicKey: string, holder: Holder): void => {
    holders.set(publicKey, [...(holders.get(publicKey) ?? []), holder]);
  };
  const ofRoot = schemeKeys(service.root.key.privateKey);
  const expired = schemeKeys(testKey('expired').privateKey).slice(0, 1);
  const mistyped = schemeKeys(testKey('mistyped').privateKey).slice(0, 2);
  const login = schemeKeys(testKey('login').privateKey).slice(0, 1);
  const stranger = schemeKeys(testKey('stranger').privateKey);
  const registered: (Holder & { readonly publicKey: string })[] = [
    ...[ofRoot[1], ofRoot[3]].flatMap((key) => (key === undefined ? [] : [key])),
    ...expired.map((key) => ({ ...key, isExpired: true })),
    // A key of one curve stored under the type of another, so no scheme fits.
    ...mistyped.map((key) => ({ ...key, type: otherType(key.type) })),
    ...login.map((key) => ({ ...key, type: 'CREDENTIAL_TYPE_LOGIN' as const })),
  ].map((key) => ({ isExpired: false, organizationId, ...key }));
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    for (const { publicKey, type, isExpired } of registered) {
      draft.put('api_key', {
        id: newId(),
        userId: service.root.userId,
        name: 'Key',
        publicKey,
        type,
        ...times,
        ...(isExpired ? { expirationSeconds: 1 } : {}),
      });
    }
    return undefined;
  });
  const child = await addChild(service);
  const ofChild = schemeKeys(child.key.privateKey).slice(0, 1);
  for (const { publicKey, ...holder } of registered) hold(publicKey, holder);
  const p256Type = 'CREDENTIAL_TYPE_API_KEY_P256';
  hold(service.root.key.publicKey, { organizationId, type: p256Type, isExpired: false });
  const childId = child.organizationId;
  hold(child.key.publicKey, { organizationId: childId, type: p256Type, isExpired: false });
  service.advance(10_000);

  const signers = [...ofRoot, ...expired, ...mistyped, ...login, ...ofChild, ...stranger];
  const targets: readonly Target[] = [organizationId, childId].flatMap((id) => [
    { kind: 'query', operation: 'whoami', organizationId: id },
    { kind: 'query', operation: 'list_wallets', organizationId: id },
    { kind: 'submit', operation: renameOperation, organizationId: id },
  ]);
  const world = { service, logged, signers, holders, targets, childId };
  // The root's keys are repeated, so that most cases start from an accepted request.
  const chosen = [...signers, ...ofRoot, ...ofRoot];
  const samples = chosen.flatMap((signer, i) =>
    targets.map((target) => sampleOf(service, signer, target, i)),
  );
  return { ...world, samples };
}

function sampleOf(service: TestService, signer: SchemeKey, target: Target, i: number): Sample {
  const { organizationId } = target;
  const envelope = {
    type: renameType,
    timestampMs: String(service.now() + i),
    organizationId,
    parameters: { organizationName: `Name ${i}` },
  };
  const body = utf8(JSON.stringify(target.kind === 'query' ? { organizationId } : envelope));
  const otherSignature = signer.sign(utf8(`${i}`));
  return { ...target, body, signer, signature: signer.sign(body), otherSignature };
}

function makeCase(world: World, random: Random): Case {
  const sample = random.of(world.samples);
  const { kind, operation, organizationId, signer } = sample;
  const around: Surroundings = {
    random,
    curve: curveOf(signer),
    publicKeys: world.signers.map(({ publicKey }) => publicKey),
    otherSignature: sample.otherSignature,
    organizationIds: [world.service.root.organizationId, world.childId],
  };
  const wanted = new Set(
    Array.from({ length: random.of([0, 1, 1, 1, 1, 2, 2, 3]) }, () => random.of(mutationNames)),
  );
  const applied: { readonly name: string; readonly isHarmless: boolean }[] = [];
  const mutate = <Value>(rows: readonly Mutation<Value>[], value: Value): Value => {
    let changed = value;
    for (const row of rows.filter(({ name }) => wanted.has(name))) {
      changed = row.change(changed, around);
      applied.push(row);
    }
    return changed;
  };
  const signature = mutate(mutations.bytes, sample.signature);
  const members = mutate(mutations.members, [
    ['publicKey', JSON.stringify(signer.publicKey)],
    ['scheme', JSON.stringify(signer.scheme)],
    ['signature', JSON.stringify(hex(signature))],
  ]);
  const json = members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',');
  const text = mutate(mutations.text, utf8(`{${json}}`));
  const value = mutate(mutations.encoded, base64url(text));
  const headers = mutate<readonly SentHeader[]>(mutations.headers, [{ name: 'x-stamp', value }]);
  const body = mutate(mutations.body, sample.body);
  const target = { kind, operation, organizationId };
  const start = { ...target, body: sample.body, headers: [plainStamp(sample)] };
  return {
    ...mutate<Place>(mutations.place, { kind, operation }),
    organizationId,
    body,
    headers,
    mutations: applied.map(({ name }) => name),
    isHarmless: applied.every((row) => row.isHarmless) && isAcceptable(world, start),
  };
}

type Mutation<Value> = {
  readonly name: string;
  readonly isHarmless: boolean;
  readonly change: (value: Value, around: Surroundings) => Value;
};

function plainStamp({ signer, signature }: Sample): SentHeader {
  const { publicKey, scheme } = signer;
  const json = JSON.stringify({ publicKey, scheme, signature: hex(signature) });
  return { name: 'x-stamp', value: base64url(utf8(json)) };
}

/** Returns true if the oracle finds a proof by a key with this right, in a body that requests it. */
function isAcceptable(
  world: World,
  sent: Target & { readonly body: Uint8Array; readonly headers: readonly SentHeader[] },
): boolean {
  const isActivity = Buffer.from(sent.body).includes(`"type":"${renameType}"`);
  const isMeant = isActivity ? sent.operation === renameOperation : sent.kind === 'query';
  if (!isMeant) return false;
  const named = organizationOf(sent.body);
  const proof = remembered(sent.headers, sent.body);
  if (proof === undefined || named === undefined) return false;
  const { organizationId: rootId } = world.service.root;
  const readers: ReadonlySet<string> = new Set([
    named,
    ...(sent.kind === 'query' && named === world.childId ? [rootId] : []),
    ...(sent.operation === 'whoami' && named === rootId ? [world.childId] : []),
  ]);
  return (world.holders.get(proof.publicKey) ?? []).some(
    ({ organizationId, type, isExpired }) =>
      readers.has(organizationId) && !isExpired && typeOfScheme(proof.scheme, type),
  );
}

const proofs = new Map<string, ReturnType<typeof proofOf>>();
const rememberedProofs = 5_000;

/** Caches the oracle's answers, since it takes milliseconds and unchanged stamps repeat. */
function remembered(headers: readonly SentHeader[], body: Uint8Array): ReturnType<typeof proofOf> {
  const key = JSON.stringify([headers, hex(body)]);
  if (proofs.has(key)) return proofs.get(key);
  const proof = proofOf(headers, body);
  if (proofs.size < rememberedProofs) proofs.set(key, proof);
  return proof;
}

function typeOfScheme(scheme: string, type: CredentialType): boolean {
  const curve = scheme.replace('SIGNATURE_SCHEME_TK_API_', '').replace('_EIP191', '');
  return (
    type === `CREDENTIAL_TYPE_API_KEY_${curve}` ||
    (type === 'CREDENTIAL_TYPE_LOGIN' && curve === 'P256')
  );
}

function organizationOf(body: Uint8Array): string | undefined {
  const text = Buffer.from(body).toString('latin1');
  return /"organizationId":"([0-9a-f-]{36})"/.exec(text)?.[1];
}

function assertRefusal({ status, body }: TestAnswer, what: () => string): void {
  assert.ok(status >= 400 && status < 500, what());
  assert.equal(typeof body.code, 'number', what());
  assert.equal(typeof body.message, 'string', what());
  assert.ok(body.message.length < 1_000, what());
}

function curveOf({ scheme }: SchemeKey): Surroundings['curve'] {
  if (scheme.endsWith('ED25519')) return 'ed25519';
  return scheme.endsWith('P256') ? 'p256' : 'secp256k1';
}

function otherType(type: CredentialType): CredentialType {
  return type === 'CREDENTIAL_TYPE_API_KEY_P256'
    ? 'CREDENTIAL_TYPE_API_KEY_SECP256K1'
    : 'CREDENTIAL_TYPE_API_KEY_P256';
}
