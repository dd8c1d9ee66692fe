// One simulation of the whole service in this process: gateways with enclaves on one database, and users,
// with failures. Everything follows from the seed.

import assert from 'node:assert/strict';
import { namesOf } from '../../src/core/base/table.ts';
import { activityOperations } from '../../src/operations/index.ts';
import { seededRandom, startMs } from '../support/harness.ts';
import { operationOfType } from './authority.ts';
import { createChoice } from './choice.ts';
import { countedOperations } from './counted.ts';
import { type Faults, weathers } from './faults.ts';
import { withLibraryRandom } from './library_random.ts';
import { createNode } from './node.ts';
import { createPeople, rootPairOf } from './people.ts';
import { votedOperations } from './request_parts.ts';
import { activityRequests } from './requests.ts';
import { checkAtRest } from './rest.ts';
import { createSchedule } from './schedule.ts';
import { createSimulatedStore } from './simulated_store.ts';
import { createTruth } from './truth.ts';

export type SimulationResult = {
  /** Violations; empty if the simulation passed. */
  readonly complaints: readonly string[];
  readonly log: readonly string[];
  /** A digest of the whole history, in hex. */
  readonly digest: string;
  /** Numbers of durable activities, by type. */
  readonly committed: ReadonlyMap<string, number>;
  /** Numbers of answers, by error code or status. */
  readonly answers: ReadonlyMap<string, number>;
  /** Operations that succeeded at least once. */
  readonly answered: ReadonlySet<string>;
  /** Outcomes of the changes of prepared answers, as `prepared <outcome>`. */
  readonly prepared: ReadonlyMap<string, number>;
};

/** Steps of a simulation between its preparation and its final checks. */
export const defaultSteps = 500;

/** Far more events than any run takes once no new requests arrive. */
const maximumEventsToRest = 100_000;

/** The focus of one simulation: these operations are more frequent. */
const focuses = {
  everything: [],
  signing: [
    'sign_raw_payload',
    'sign_raw_payloads',
    'sign_transaction',
    'eth_send_transaction',
    'eth_send_raw_transaction',
    'abandon_transaction',
    'eth_undelegate_7702',
    'earn_deposit',
    'earn_withdraw',
    'create_swap_quote',
    'execute_swap',
    'sol_send_transaction',
    'delete_wallet_accounts',
    'delete_wallets',
  ],
  credentials: [
    'create_api_keys',
    'delete_api_keys',
    'create_authenticators',
    'delete_authenticators',
    'sign_raw_payload',
    'delete_users',
  ],
  quorum: ['update_root_quorum', 'sign_raw_payload', 'update_organization_name'],
  tags: Object.keys(activityRequests).filter(
    (name) => name.endsWith('_tag') || name.endsWith('_tags'),
  ),
  votes: ['approve_activity', 'create_policy', 'create_users', ...votedOperations],
  organizations: ['create_sub_organization', 'delete_sub_organization', 'create_users'],
  onboarding: Object.keys(activityRequests).filter((name) => name.includes('auth_proxy')),
  codes: Object.keys(activityRequests).filter((name) =>
    /otp|email_auth|recover|create_users/.test(name),
  ),
  access: Object.keys(activityRequests).filter((name) =>
    /mfa_policy|ip_allowlist|session|login/.test(name),
  ),
  deployments: Object.keys(activityRequests).filter((name) => name.includes('_tvc_')),
  limits: [
    ...['create_velocity_control', 'delete_velocity_control'],
    ...[...countedOperations, ...countedOperations],
  ],
  freezes: [
    ...['create_freeze', 'delete_freeze', 'delete_freeze', 'approve_activity'],
    ...['sign_raw_payload', 'sign_raw_payloads', 'eth_send_transaction'],
  ],
  transfers: Object.keys(activityRequests).filter((name) =>
    /^(init_import|import|export)_/.test(name),
  ),
} as const satisfies Record<string, readonly string[]>;

/** MFA policies and other rows to change and delete. */
const accessAtFirst = [
  'create_mfa_policy',
  'create_mfa_policy',
  'set_ip_allowlist',
  'set_ip_allowlist',
  'create_session_profile',
];

/** Deployments in each of their states. */
const deploymentsAtFirst = [
  'create_tvc_app',
  'create_tvc_deployment',
  'create_tvc_deployment',
  'create_tvc_deployment',
  'create_tvc_manifest_approvals',
  'create_tvc_manifest_approvals',
  'create_tvc_manifest_approvals',
  'delete_tvc_deployment',
  'delete_tvc_deployment',
];

/** Controls that count from the start. */
const limitsAtFirst = ['create_velocity_control', 'create_user_tag'];

/** Codes of which some are tried, and others left for later. */
const codesAtFirst = ['init_otp', 'verify_otp', 'init_otp', 'verify_otp', 'init_otp', 'init_otp'];
/**
 * Returns true for a change that waits for no turn: one that queries external services, or a signature
 * whose key signs for the first time.
 */
function mayRunBeside({ type }: { readonly type: string }): boolean {
  const operation = activityOperations[operationOfType.get(type) ?? ''];
  return operation?.callsExternal !== undefined || operation?.concurrent === true;
}

/** The outcome of a change that was committed on a later version than that of its decision. */
export const pastChange = 'committed past a change';

/** Runs one simulation to its end or its first complaint. */
export async function simulate(seed: number, steps = defaultSteps): Promise<SimulationResult> {
  const choice = createChoice(`simulation ${seed}`);
  const schedule = createSchedule(choice);
  const complaints: string[] = [];
  const complain = (what: string) => {
    complaints.push(what);
    schedule.note(`WRONG: ${what}`);
  };

  const weather = choice.pick(namesOf(weathers));
  const nodeCount = choice.pick([1, 1, 2]);
  const focus = choice.pick(Object.keys(focuses) as (keyof typeof focuses)[]);
  schedule.note(`seed ${seed}: ${weather}, ${nodeCount} nodes, ${focus}`);
  let faults: Faults = weathers.calm;
  let now = startMs;
  const clock = () => now;

  const truth = createTruth(complain);
  const prepared = new Map<string, number>();
  const count = (what: string) => prepared.set(what, (prepared.get(what) ?? 0) + 1);
  /** The activities that last changed each organization. */
  const lastChanges = new Map<string, readonly { readonly type: string }[]>();
  const store = createSimulatedStore({
    schedule,
    choice,
    faults: () => faults,
    committed: (change) => {
      truth.observe(change);
      for (const row of change.organizations) {
        lastChanges.set(row.organizationId, change.activities);
      }
    },
    passed: () => count(pastChange),
    overtaken: (change) => {
      // Changes of one organization take turns. So on a single node without failures no change is too late,
      // except after a change of another organization that it depends on. Requests to external services and
      // boot statements take no turn.
      const isAlone = change.conditions.length === 1;
      const others = change.organizations.map((row) => lastChanges.get(row.organizationId) ?? []);
      const isInTurn = [change.activities, ...others].every(
        (activities) => activities.length > 0 && !activities.some(mayRunBeside),
      );
      const isChange = isAlone && isInTurn && change.organizations.some((row) => row.version > 1);
      if (isChange && weather === 'calm' && nodeCount === 1) {
        complain('a change was overtaken');
      }
    },
  });
  const nodes = Array.from({ length: nodeCount }, (_, number) =>
    createNode({
      name: `node ${number}`,
      seed: String(seed),
      schedule,
      choice,
      store,
      isStoreEmbedded: nodeCount === 1,
      clock,
      complain,
      prepared: (outcome) => {
        schedule.note(`  prepared ${outcome}`);
        count(`prepared ${outcome}`);
      },
    }),
  );
  const people = createPeople({
    schedule,
    choice,
    truth,
    nodes,
    clock,
    mayBeUnavailable: () => weather !== 'calm',
    focus: new Set(focuses[focus]),
    complain,
  });

  /** Runs one event; a complaint ends the simulation. */
  async function step(): Promise<void> {
    await schedule.step();
    assert.deepEqual(complaints, []);
  }
  async function finish(): Promise<void> {
    for (let events = 0; !schedule.isEmpty(); events += 1) {
      assert(events < maximumEventsToRest, 'all comes to rest');
      await step();
    }
  }

  function fail(): void {
    const node = choice.pick(nodes);
    const happens = (probability: number, what: string, happen: () => void) => {
      if (!choice.chance(probability)) return;
      schedule.note(`${what} ${node.name}`);
      happen();
    };
    happens(faults.linkCut, 'cut link of', node.cutLink);
    happens(faults.enclaveCrash, 'crash of enclave of', node.enclaveCrash);
    happens(faults.gatewayCrash, 'crash of', node.crash);
    happens(
      faults.storeCrash,
      'crash of store, seen by',
      nodeCount === 1 ? node.crash : store.crash,
    );
  }

  /** Creates users, a wallet, private keys and a child for further requests. */
  async function settle(): Promise<void> {
    for (const node of nodes) node.start();
    await finish();
    for (const operation of [
      'create_api_keys',
      'create_users',
      'create_wallet',
      'create_private_keys',
      'create_sub_organization',
      // Rows of rare operations, so that queries find them.
      ...(focus === 'everything'
        ? ['create_smart_contract_interface', 'create_oauth2_credential']
        : []),
      ...(focus === 'deployments' ? deploymentsAtFirst : []),
      ...(focus === 'access' ? accessAtFirst : []),
      ...(focus === 'onboarding' ? ['enable_auth_proxy'] : []),
      ...(focus === 'codes' ? codesAtFirst : []),
      ...(focus === 'limits' ? limitsAtFirst : []),
      // Last, since one key may no longer be enough afterwards.
      ...(focus === 'votes' ? ['create_policies'] : ['update_root_quorum']),
    ]) {
      const [parent] = truth.organizations();
      assert(parent !== undefined, 'the first node makes an organization');
      assert(
        nodes.every((node) => node.isUp()),
        'every node starts',
      );
      now += 1;
      const pair = rootPairOf(parent, now);
      assert(pair !== undefined, 'the first user keeps a key');
      people.send(people.writeActivity(parent, operation, pair), choice.pick(nodes));
      await finish();
    }
  }

  async function live(): Promise<void> {
    const busiest = choice.pick([2, 5, 10]);
    for (let done = 0; done < steps; done += 1) {
      if (choice.chance(0.04)) now += choice.pick([1, 10, 1000, 30_000, 60_000]);
      if (choice.chance(0.0005)) now += 3_600_000;
      fail();
      const isFree = people.underWay() < busiest && (schedule.isEmpty() || choice.chance(0.2));
      if (isFree) people.act();
      if (!schedule.isEmpty()) await step();
    }
  }

  try {
    await withLibraryRandom(seededRandom(`${seed} libraries`), async () => {
      await settle();
      faults = weathers[weather];
      await live();
      faults = weathers.calm;
      await checkAtRest({ truth, people, nodes, durable: store.durable, clock, finish, complain });
    });
  } catch (error) {
    const detail = error instanceof Error ? error.stack : String(error);
    if (complaints.length === 0) complain(`the simulation failed: ${detail}`);
  }
  return {
    complaints,
    log: schedule.log,
    digest: schedule.digest(),
    committed: truth.committed,
    answers: people.answers,
    answered: people.answered,
    prepared,
  };
}
