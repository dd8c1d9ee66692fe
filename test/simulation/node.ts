// One gateway with its enclave: the real link, store handlers and enclave over a simulated pipe. Starts,
// restarts and refusals follow `src/gateway/serve.ts` and `src/gateway/enclave/supervise.ts`, without their
// pauses. The enclave is created like in `src/enclave/main.ts`.

import { oauth2ProviderRows } from '../../src/core/auth/oauth2/providers.ts';
import { utf8 } from '../../src/core/base/bytes.ts';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { renderError } from '../../src/core/views/render_error.ts';
import { createEnclave } from '../../src/enclave/enclave.ts';
import { storeOverLink } from '../../src/enclave/records/store_over_link.ts';
import { externalServicesOverLink } from '../../src/enclave/services/external_services_over_link.ts';
import { createEnclaveClient, type EnclaveClient } from '../../src/gateway/enclave/client.ts';
import { externalHandlers } from '../../src/gateway/enclave/external_handlers.ts';
import { storeHandlers } from '../../src/gateway/enclave/store_handlers.ts';
import type { Log } from '../../src/gateway/observability/log.ts';
import {
  type AnswerOf,
  type EnclaveMessages,
  enclaveMessages,
  type GatewayMessages,
  gatewayMessages,
  type RequestOf,
} from '../../src/ipc/messages.ts';
import { createLink, type Link } from '../../src/ipc/rpc.ts';
import type { CommitOutcome } from '../../src/store/port.ts';
import { testAnchor } from '../support/anchor.ts';
import { seededRandom, testRootKey } from '../support/harness.ts';
import { createTestOutside, type TestOutside, testDeployment } from '../support/outside.ts';
import type { Choice } from './choice.ts';
import { simulatedIssuer } from './identities.ts';
import { rootKeyPair } from './key_pairs.ts';
import { openPipe, type Pipe } from './pipe.ts';
import type { Schedule } from './schedule.ts';
import type { SimulatedStore } from './simulated_store.ts';

/** Creates external services with one identity provider, which accepts every code for one account. */
function simulatedOutside(): TestOutside {
  const outside = createTestOutside();
  outside.issuers.set(simulatedIssuer.issuer, simulatedIssuer.keySet);
  const { tokenUrl, personUrl } = oauth2ProviderRows.OAUTH2_PROVIDER_X;
  const answers = [
    [tokenUrl, { access_token: 'token' }],
    [personUrl, { data: { id: '1' } }],
  ] as const;
  for (const [url, value] of answers) {
    outside.answers.set(url, () => ({ status: 200, body: utf8(JSON.stringify(value)) }));
  }
  return outside;
}

export const liveness = { maximumAgeMs: 3_600_000, maximumAheadMs: 300_000 };

export type NodeRequest = RequestOf<EnclaveMessages['request']>;
export type NodeAnswer = Pick<
  AnswerOf<EnclaveMessages['request']>,
  'status' | 'body' | 'errorCode'
>;

export type Node = ReturnType<typeof createNode>;

type Running = { readonly link: Link<EnclaveMessages>; readonly pipe: Pipe };

/** Creates a stopped node. `complain` receives every line that a healthy node would not log. */
export function createNode(ports: {
  name: string;
  seed: string;
  schedule: Schedule;
  choice: Choice;
  store: SimulatedStore;
  /** True if the store runs in the gateway's process, and crashes with it. */
  isStoreEmbedded: boolean;
  clock: () => number;
  complain: (what: string) => void;
  /** Receives the outcome of the change of each prepared answer. */
  prepared: (outcome: CommitOutcome) => void;
}) {
  const { name, schedule, store } = ports;
  const waiting = new Set<(answer: NodeAnswer | undefined) => void>();
  let life = 0;
  let enclaves = 0;
  let running: Running | undefined;
  let isUp = false;

  const owner = () => `${name}.${life}`;
  const log: Log = (level, message, fields) => {
    if (level !== 'info') ports.complain(`${name} logs: ${message} ${JSON.stringify(fields)}`);
  };

  function launch(): Running {
    enclaves += 1;
    const pipe = openPipe(`${owner()}/enclave ${enclaves}`, ports);
    const inner: Link<GatewayMessages> = createLink<GatewayMessages, EnclaveMessages>({
      channel: pipe.enclaveEnd,
      calls: gatewayMessages,
      serves: enclaveMessages,
      handlers: {
        start: (request) => enclave.start(request),
        bootstrap: (request) => enclave.bootstrap(request),
        request: (request) => enclave.request(request),
        prepare: (request) => enclave.prepare(request),
        cancel: (request) => enclave.cancel(request),
        organizationChanged: (request) => enclave.organizationChanged(request),
        signDeliveries: (request) => enclave.signDeliveries(request),
        auditLines: (request) => enclave.auditLines(request),
        appendLog: (request) => enclave.appendLog(request),
        logCheckpoint: () => enclave.logCheckpoint(undefined),
        logConsistency: (request) => enclave.logConsistency(request),
        rememberCosigned: (request) => enclave.rememberCosigned(request),
        logTile: (request) => enclave.logTile(request),
        giveNextKey: (request) => enclave.giveNextKey(request),
        keyEpoch: () => enclave.keyEpoch(undefined),
        checkRows: (request) => enclave.checkRows(request),
        advanceKeyEpoch: (request) => enclave.advanceKeyEpoch(request),
        resealRows: (request) => enclave.resealRows(request),
        endKeyEpoch: () => enclave.endKeyEpoch(undefined),
        disableEndpoint: (request) => enclave.disableEndpoint(request),
        chainCursor: (request) => enclave.chainCursor(request),
        observe: (request) => enclave.observe(request),
        vitals: () => enclave.vitals(undefined),
        unsettledSends: (request) => enclave.unsettledSends(request),
        maySend: (request) => enclave.maySend(request),
        sendSeen: (request) => enclave.sendSeen(request),
        emailSeen: (request) => enclave.emailSeen(request),
        discovery: () => enclave.discovery(undefined),
        webhookKeySet: () => enclave.webhookKeySet(undefined),
        copyStatus: () => enclave.copyStatus(undefined),
        startCustody: (request) => enclave.startCustody(request),
        expectShares: (request) => enclave.expectShares(request),
        giveShare: (request) => enclave.giveShare(request),
        openRows: (request) => enclave.openRows(request),
        fence: (request) => enclave.fence(request),
        vouch: (request) => enclave.vouch(request),
        accept: (request) => enclave.accept(request),
        custodyCopyStatus: () => enclave.custodyCopyStatus(undefined),
      },
      closedCode: 'store_unavailable',
      log,
    });
    const enclave = createEnclave({
      store: storeOverLink(inner),
      external: externalServicesOverLink(inner),
      clock: ports.clock,
      random: seededRandom(`${ports.seed} ${name} ${enclaves}`),
      log,
      usesThreadPool: false,
    });
    const link = createLink<EnclaveMessages, GatewayMessages>({
      channel: pipe.gatewayEnd,
      calls: enclaveMessages,
      serves: gatewayMessages,
      handlers: {
        ...storeHandlers(store.portOf(owner()), log),
        ...testAnchor(),
        ...externalHandlers(simulatedOutside()),
      },
      closedCode: 'enclave_unavailable',
      log,
    });
    const started = { link, pipe };
    const ofLife = life;
    void link.closed.then(() => {
      if (running === started) running = undefined;
      if (life === ofLife && isUp) {
        schedule.addAlone(owner(), `${name}: starts another enclave`, () => void restart());
      }
    });
    return started;
  }

  const start = ({ link }: Running) =>
    link.call('start', { rootKey: testRootKey(), liveness, deployment: testDeployment });

  async function restart(): Promise<void> {
    const next = launch();
    try {
      await start(next);
      running = next;
    } catch (error) {
      // The enclave ended before it started; its end has already scheduled a restart.
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  async function boot(): Promise<void> {
    const ofLife = life;
    running = launch();
    try {
      await start(running);
      await running.link.call('bootstrap', {
        organizationName: 'Parent',
        userName: 'Root',
        apiKeyName: 'Root key',
        apiPublicKey: rootKeyPair.publicKey,
        enablesAuthProxy: false,
      });
      if (life === ofLife) isUp = true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (life === ofLife) crash();
    }
  }

  function scheduleBoot(): void {
    schedule.addAlone(owner(), `${name}: starts`, () => void boot());
  }

  /** Stops the gateway at once with its enclave, and starts it again. */
  function crash(): void {
    const gone = owner();
    isUp = false;
    running?.pipe.vanish();
    running = undefined;
    schedule.dropOwned(gone);
    if (ports.isStoreEmbedded) {
      schedule.dropOwned(`${gone}!`);
      store.crash();
      schedule.dropOwned(gone);
    }
    life += 1;
    const lost = [...waiting];
    waiting.clear();
    for (const answered of lost) answered(undefined);
    scheduleBoot();
  }

  /** Sends a request to the current enclave; the gateway commits prepared changes. */
  function ask(request: NodeRequest): ReturnType<EnclaveClient> {
    const call: Link<EnclaveMessages>['call'] = (message, value) =>
      running?.link.call(message, value) ?? Promise.reject(new ServiceError('enclave_unavailable'));
    const port = store.portOf(owner());
    const asked = createEnclaveClient(
      {
        request: (value) => call('request', value),
        prepare: (value) => call('prepare', value),
      },
      {
        commit: async (change) => {
          const outcome = await port.commit(change);
          ports.prepared(outcome);
          return outcome;
        },
        organization: (asked) => port.organization(asked),
      },
    );
    return asked(request);
  }

  return {
    name,
    start: scheduleBoot,
    isUp: () => isUp,
    crash,
    enclaveCrash: () => running?.pipe.enclaveCrash(),
    cutLink: () => running?.pipe.cut(),
    /** Calls back once, with undefined if the connection broke. */
    request: (request: NodeRequest, answered: (answer: NodeAnswer | undefined) => void) => {
      if (!isUp) return answered(undefined);
      waiting.add(answered);
      const done = (answer: NodeAnswer) => {
        if (waiting.delete(answered)) answered(answer);
      };
      ask(request).then(done, (error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        done({ ...renderError(error), errorCode: error.code });
      });
    },
  };
}
