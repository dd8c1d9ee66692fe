// Checks at the end of a simulation: all nodes show the same state, and requests still succeed.

import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { createEnclave } from '../../src/enclave/enclave.ts';
import type { StorePort } from '../../src/store/port.ts';
import { seededRandom, testRootKey } from '../support/harness.ts';
import { createTestOutside, testDeployment } from '../support/outside.ts';
import { restingProjections } from './judge.ts';
import type { KeyPair } from './key_pairs.ts';
import { liveness, type Node } from './node.ts';
import { type Letter, type People, rootPairOf } from './people.ts';
import { pageLimit } from './request_parts.ts';
import { type TrueState, waitingStatuses } from './true_state.ts';
import type { Truth } from './truth.ts';
import type { Wire } from './wire.ts';

export async function checkAtRest(ports: {
  truth: Truth;
  people: People;
  nodes: readonly Node[];
  durable: StorePort;
  clock: () => number;
  /** Runs all events until none is left. */
  finish: () => Promise<void>;
  complain: (what: string) => void;
}): Promise<void> {
  const { truth, people, nodes, clock, finish, complain } = ports;
  await finish();
  if (people.underWay() !== 0) complain(`${people.underWay()} requests were never answered`);
  for (const type of people.refusedButDone()) complain(`${type} was refused, but done`);

  const fresh = createEnclave({
    store: ports.durable,
    external: createTestOutside(),
    clock,
    random: seededRandom('fresh enclave'),
    log: (_, message, fields) => complain(`fresh enclave: ${message} ${JSON.stringify(fields)}`),
    usesThreadPool: false,
  });
  await fresh.start({ rootKey: testRootKey(), liveness, deployment: testDeployment });
  const askFresh = async (letter: Letter): Promise<string> => {
    const { kind, operation, stamp, body } = letter;
    const request = { requestId: 'fresh', kind, operation, headers: [stamp], body };
    const answer = await fresh.request({
      ...request,
      timestampObjects: false,
      remoteAddress: '127.0.0.1',
    });
    return `${answer.status} ${textOfUtf8(answer.body)}`;
  };
  /** Returns the answer as `status body`, after all events in between. */
  const ask = async (letter: Letter, node: Node): Promise<string> => {
    let found = 'no answer';
    people.send(letter, node, ({ status, body }) => {
      found = `${status} ${textOfUtf8(body)}`;
    });
    await finish();
    return found;
  };

  function same(operation: string, shown: unknown, isTrue: unknown): void {
    const [got, expected] = [JSON.stringify(shown), JSON.stringify(isTrue)];
    if (got !== expected) complain(`${operation} shows ${got}, but true is ${expected}`);
  }

  /** The stored rows of waiting activities must equal the list of the organization. */
  async function compareWaiting({ id: organizationId, rows }: TrueState): Promise<void> {
    const page = { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 10_000 };
    const statuses = waitingStatuses;
    const stored = await ports.durable.activityPage({ organizationId, statuses, types: [], page });
    const ids = stored.map(({ id }) => id);
    same('the store', ids, [...rows.open_activity.keys()].sort());
    same('what happened', truth.waitingIn(organizationId).sort(), ids);
  }

  async function compare(state: TrueState, pair: KeyPair): Promise<void> {
    const operations = [
      ...Object.keys(restingProjections),
      'list_activities',
      ...(state.parentId === undefined ? ['list_suborgs'] : []),
    ];
    for (const operation of operations) {
      const letter = people.writeQuery(state, operation, pair);
      const expected = await askFresh(letter);
      for (const node of nodes) {
        const answered = await ask(letter, node);
        if (answered !== expected || !answered.startsWith('200 ')) {
          complain(`${operation}: ${node.name} answers ${answered}, a fresh enclave ${expected}`);
        }
      }
      const body: Wire = JSON.parse(expected.slice('200 '.length));
      const project = restingProjections[operation];
      if (project !== undefined) same(operation, project.shown(body), project.inState(state));
      if (operation === 'list_activities') {
        const ids = truth.activityIdsOf(state.id).slice(0, pageLimit);
        same(
          operation,
          body.activities.map((activity: Wire) => activity.id),
          ids,
        );
      }
      if (operation === 'list_suborgs') {
        const children = living.filter((child) => child.parentId === state.id);
        same(operation, body.organizationIds, children.map((child) => child.id).sort());
      }
    }
  }

  /** Returns true if a freeze of an organization or of its parent stops a request. */
  function isStopped({ rows, parentId }: TrueState, answered: string): boolean {
    const above = living.find(({ id }) => id === parentId);
    const hasFreezes = rows.freeze.size > 0 || (above?.rows.freeze.size ?? 0) > 0;
    return hasFreezes && /^403 .* is frozen since /.test(answered);
  }

  /** Sends a change and a signature of a root user, which must succeed unless a freeze stops them. */
  async function goOn(state: TrueState, pair: KeyPair, node: Node): Promise<void> {
    const canSign = state.rows.wallet_account.size + state.rows.private_key.size > 0;
    for (const operation of [
      'update_organization_name',
      ...(canSign ? ['sign_raw_payload'] : []),
    ]) {
      const letter = people.writeActivity(state, operation, pair);
      const answered = await ask(letter, node);
      const again = await ask(letter, node);
      // The request may name a signing key of an earlier state, which was deleted.
      const mayBeGone = operation === 'sign_raw_payload' && answered.startsWith('404 ');
      const isFine = answered.startsWith('200 ') || mayBeGone || isStopped(state, answered);
      if (!isFine || again !== answered) {
        complain(`${operation} at rest: ${answered}, again: ${again}`);
      }
    }
  }

  const living = truth.organizations().filter((state) => state.head.deletedAtMs === undefined);
  const asked = living.flatMap((state) => {
    const pair = rootPairOf(state, clock());
    return pair === undefined ? [] : [{ state, pair }];
  });
  for (const state of living) await compareWaiting(state);
  for (const { state, pair } of asked) await compare(state, pair);
  for (const { state, pair } of asked) for (const node of nodes) await goOn(state, pair, node);
}
