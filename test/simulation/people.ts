// Simulated users: they choose requests and organizations, repeat requests, and remember the answers.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { utf8 } from '../../src/core/base/bytes.ts';
import { activityOperations, voteOperations } from '../../src/operations/index.ts';
import { isOver, keyIn } from './authority.ts';
import type { Choice } from './choice.ts';
import { answerComplaints, knownBefore, type Sent } from './judge.ts';
import { type KeyPair, keyPairOf, keyPairs, rootKeyPair } from './key_pairs.ts';
import { liveness, type Node, type NodeAnswer } from './node.ts';
import { voteRequests, type World } from './request_parts.ts';
import { activityRequests, queryRequests } from './requests.ts';
import type { Schedule } from './schedule.ts';
import type { TrueState } from './true_state.ts';
import type { Truth } from './truth.ts';

/** A request as it leaves its sender. */
export type Letter = Pick<
  Sent,
  'kind' | 'operation' | 'organizationId' | 'fingerprint' | 'publicKey' | 'isVote'
> & { readonly body: Uint8Array; readonly stamp: { name: string; value: string } };

/** The share of requests that ask for app proofs. */
const provedShare = 0.02;

type Outcome = 'acknowledged' | 'refused' | 'unknown';

export type People = ReturnType<typeof createPeople>;

export function createPeople(ports: {
  schedule: Schedule;
  choice: Choice;
  truth: Truth;
  nodes: readonly Node[];
  clock: () => number;
  mayBeUnavailable: () => boolean;
  /** Operations that are more frequent in this simulation. */
  focus: ReadonlySet<string>;
  complain: (what: string) => void;
}) {
  const { schedule, choice, truth, nodes, clock } = ports;
  const letters: Letter[] = [];
  const outcomes = new Map<string, Set<Outcome>>();
  const answers = new Map<string, number>();
  const answered = new Set<string>();
  const weights = Object.fromEntries(
    Object.entries(activityRequests).map(([name, { weight }]) => [
      name,
      ports.focus.has(name) ? weight * 4 : weight,
    ]),
  );
  let serial = 0;
  let underWay = 0;

  function write(
    kind: Letter['kind'],
    operation: string,
    organizationId: string,
    pair: KeyPair,
    content: object,
  ): Letter {
    const body = utf8(JSON.stringify(content));
    const fingerprint = `sha256:${hash('sha256', body, 'hex')}`;
    const stamp = pair.stamp(body);
    const { publicKey } = pair;
    const isVote = false;
    return { kind, operation, organizationId, fingerprint, publicKey, isVote, body, stamp };
  }

  function writeVote(state: TrueState, operation: string, pair: KeyPair): Letter {
    const type = voteOperations[operation]?.type;
    const generated = voteRequests[operation];
    assert(generated !== undefined && type !== undefined, `requests of ${operation} are known`);
    const parameters = generated(worldOf(state, pair));
    const timestampMs = String(aboutNow());
    const content = { type, timestampMs, organizationId: state.id, parameters };
    const letter = write('submit', operation, state.id, pair, content);
    return { ...letter, ...parameters, isVote: true };
  }

  function writeActivity(state: TrueState, operation: string, pair: KeyPair, at = clock()): Letter {
    const generated = activityRequests[operation];
    const type = activityOperations[operation]?.wire.type;
    assert(generated !== undefined && type !== undefined, `requests of ${operation} are known`);
    return write('submit', operation, state.id, pair, {
      type,
      timestampMs: String(at),
      organizationId: state.id,
      parameters: generated.parameters(worldOf(state, pair)),
      ...(choice.chance(provedShare) ? { generateAppProofs: true } : {}),
    });
  }

  function worldOf(state: TrueState, pair: KeyPair): World {
    serial += 1;
    const callerId = keyIn(state, pair.publicKey)?.userId;
    const activityIds = () => truth.activityIdsOf(state.id);
    return { choice, state, callerId, history: truth.history(state.id), activityIds, serial };
  }

  /** Returns the key of a user, mostly a root user with a valid key. */
  function someone(state: TrueState): KeyPair {
    const plain = ports.focus.has('approve_activity') ? 6 : 0.5;
    const kind = choice.weighted({ root: 8, member: 1.5, plain, anybody: 0.5 });
    if (kind === 'anybody') return choice.pick(keyPairs);
    const mayBeOver = choice.chance(0.15);
    const keys = [...state.rows.api_key.values()].filter((key) => {
      const isRoot = state.head.rootQuorum.userIds.includes(key.userId);
      const isMeant = kind === 'member' || isRoot === (kind === 'root');
      return isMeant && (mayBeOver || !isOver(key, clock()));
    });
    const pairs = keys.flatMap((key) => keyPairOf(key.publicKey) ?? []);
    const fast = pairs.filter((pair) => pair.curve === 'API_KEY_CURVE_ED25519');
    const [pair] = choice.some(choice.chance(0.9) && fast.length > 0 ? fast : pairs, 1);
    return pair ?? rootKeyPair;
  }

  /** Returns a timestamp, mostly now, sometimes at the limits of the accepted range. */
  function aboutNow(): number {
    if (choice.chance(0.95)) return clock();
    return choice.pick([
      clock() - liveness.maximumAgeMs,
      clock() - liveness.maximumAgeMs + 1,
      clock() + liveness.maximumAheadMs,
      clock() + liveness.maximumAheadMs + 1,
    ]);
  }

  function send(letter: Letter, node: Node, answered?: (answer: NodeAnswer) => void): void {
    underWay += 1;
    serial += 1;
    const { kind, operation, fingerprint } = letter;
    const before = knownBefore(truth, letter, clock());
    const sent: Sent = { ...letter, serial, before };
    const name = `request ${serial} ${operation}`;
    schedule.addAlone('people', `${name} ${fingerprint.slice(7, 19)} to ${node.name}`, () => {
      const { body, stamp } = letter;
      const request = {
        requestId: name,
        kind,
        operation,
        headers: [stamp],
        timestampObjects: false,
        remoteAddress: '127.0.0.1',
        body: body.slice(),
      };
      node.request(request, (answer) => {
        const what = answer?.errorCode ?? answer?.status ?? 'nothing';
        schedule.addAlone('people', `${name} is answered ${what}`, () => {
          underWay -= 1;
          receive(sent, answer);
          if (answer !== undefined) answered?.(answer);
        });
      });
    });
  }

  function receive(sent: Sent, answer: NodeAnswer | undefined): void {
    const what = answer?.errorCode ?? String(answer?.status ?? 'lost');
    answers.set(what, (answers.get(what) ?? 0) + 1);
    if (sent.kind === 'submit' && !sent.isVote) {
      const known = outcomes.get(sent.fingerprint) ?? new Set();
      known.add(outcomeOf(answer));
      outcomes.set(sent.fingerprint, known);
    }
    if (answer?.status === 200) answered.add(sent.operation);
    if (answer === undefined) {
      if (!ports.mayBeUnavailable()) ports.complain(`request ${sent.serial} was not answered`);
      return;
    }
    const digest = hash('sha256', answer.body, 'hex').slice(0, 12);
    schedule.note(`  ${what} ${digest}`);
    const world = { now: clock(), mayBeUnavailable: ports.mayBeUnavailable() };
    for (const complaint of answerComplaints(sent, answer, truth, world)) {
      ports.complain(`request ${sent.serial} ${sent.operation}: ${complaint}`);
    }
  }

  return {
    /** Sends one new request. */
    act: () => {
      const all = truth.organizations();
      const living = all.filter((state) => state.head.deletedAtMs === undefined);
      const state = choice.pick(choice.chance(0.03) ? all : living);
      const up = nodes.filter((one) => one.isUp());
      const node = choice.pick(up.length > 0 && choice.chance(0.9) ? up : nodes);
      const vote = state.rows.open_activity.size > 0 ? 6 : 0.1;
      const kind = choice.weighted({ activity: 7, query: 2, again: 1.5, vote });
      if (kind === 'again' && letters.length > 0) {
        // Recent requests may still be running.
        const from = choice.chance(0.7) ? letters.slice(-5) : letters;
        send(choice.pick(from), node);
      } else if (kind === 'vote') {
        const operation = choice.weighted({ approve_activity: 5, reject_activity: 1 });
        const letter = writeVote(state, operation, someone(state));
        letters.push(letter);
        send(letter, node);
        if (choice.chance(0.12)) send(letter, choice.pick(nodes));
      } else if (kind === 'query') {
        const operation = choice.pick(Object.keys(queryRequests));
        const pair = someone(state);
        const parameters = queryRequests[operation]?.(worldOf(state, pair)) ?? {};
        const content = { organizationId: state.id, ...parameters };
        send(write('query', operation, state.id, pair, content), node);
      } else {
        const letter = writeActivity(state, choice.weighted(weights), someone(state), aboutNow());
        letters.push(letter);
        send(letter, node);
        if (choice.chance(0.12)) send(letter, choice.pick(nodes));
      }
    },
    /** Writes a new activity of a type, stamped by a pair. */
    writeActivity,
    /** Writes a query stamped by a pair. */
    writeQuery: (state: TrueState, operation: string, pair: KeyPair): Letter => {
      const parameters = queryRequests[operation]?.(worldOf(state, pair)) ?? {};
      return write('query', operation, state.id, pair, { organizationId: state.id, ...parameters });
    },
    send,
    underWay: () => underWay,
    /** Returns bodies whose copies were all refused for good, although an activity became durable. */
    refusedButDone: (): string[] =>
      [...outcomes].flatMap(([fingerprint, known]) => {
        const activity = truth.activityOf(fingerprint);
        const isRefused = known.size === 1 && known.has('refused');
        return isRefused && activity !== undefined ? [activity.type] : [];
      }),
    /** The number of answers by code or status. */
    answers: answers as ReadonlyMap<string, number>,
    /** Operations that succeeded at least once. */
    answered: answered as ReadonlySet<string>,
  };
}

/** Returns the pair of a root user of the organization, if there is one. */
export function rootPairOf(state: TrueState, now: number): KeyPair | undefined {
  const { threshold, userIds } = state.head.rootQuorum;
  if (threshold !== 1) return undefined;
  const keys = [...state.rows.api_key.values()].filter(
    (key) => userIds.includes(key.userId) && !isOver(key, now),
  );
  const pairs = keys.flatMap((key) => keyPairOf(key.publicKey) ?? []);
  return pairs.find(({ curve }) => curve === 'API_KEY_CURVE_ED25519') ?? pairs[0];
}

function outcomeOf(answer: NodeAnswer | undefined): Outcome {
  if (answer === undefined || answer.status === 503) return 'unknown';
  return answer.status === 200 ? 'acknowledged' : 'refused';
}
