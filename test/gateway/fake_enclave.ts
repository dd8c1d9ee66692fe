import type { EnclaveProcess } from '../../src/gateway/enclave/process.ts';
import type { Handlers } from '../../src/ipc/message_table.ts';
import type {
  AnswerOf,
  EnclaveMessages,
  GatewayMessages,
  RequestOf,
} from '../../src/ipc/messages.ts';
import { enclaveMessages, gatewayMessages } from '../../src/ipc/messages.ts';
import type { Link } from '../../src/ipc/rpc.ts';
import { createLink } from '../../src/ipc/rpc.ts';
import { memoryChannels } from '../ipc/memory_channel.ts';

export type FakeEnclave = {
  readonly process: EnclaveProcess;
  /** The enclave's side of the link. */
  readonly link: Link<GatewayMessages>;
  /** Copies of the root keys that arrived. */
  readonly rootKeys: Uint8Array[];
  wasKilled(): boolean;
};

/** Documents in the form of an enclave, with different contents. */
export const sampleDiscovery: AnswerOf<EnclaveMessages['discovery']> = {
  issuerConfiguration: Buffer.from('{"issuer":"https://keys.example"}'),
  issuerKeySet: Buffer.from('{"keys":["of the issuer"]}'),
  serviceKeys: Buffer.from('{"keys":["of the service"]}'),
};

const answers: Handlers<EnclaveMessages> = {
  start: () => undefined,
  bootstrap: ({ apiPublicKey }) => ({
    organizationId: 'organization',
    userId: 'user',
    apiKeyId: 'key',
    apiPublicKey,
    authProxyConfigId: 'proxy',
  }),
  request: echo,
  prepare: (request) => ({ answer: echo(request), addition: undefined, versions: [] }),
  cancel: () => undefined,
  organizationChanged: () => undefined,
  signDeliveries: () => [{ outcome: 'gone', url: '', headers: [], body: new Uint8Array(0) }],
  auditLines: () => ({ lines: [] }),
  appendLog: () => ({ isLost: false, note: '' }),
  logConsistency: () => ({ proof: [] }),
  rememberCosigned: () => undefined,
  logCheckpoint: () => ({ note: undefined, key: '' }),
  logTile: () => ({ body: undefined }),
  giveNextKey: () => undefined,
  keyEpoch: () => ({
    epoch: 0,
    isRotating: false,
    nextKey: undefined,
    currentKey: '00',
    usesSecondKey: false,
    opensOthers: false,
  }),
  checkRows: () => ({ webhookEpochs: [], requests: 0 }),
  advanceKeyEpoch: () => ({ isAdvanced: false }),
  resealRows: () => ({ bodies: [], requests: 0 }),
  endKeyEpoch: () => ({ isEnded: true }),
  disableEndpoint: () => ({ isDisabled: true }),
  chainCursor: () => ({ version: 0, blocks: [] }),
  observe: () => ({ outcome: 'committed' }),
  vitals: () => ({
    residentBytes: 64_000_000,
    heapUsedBytes: 32_000_000,
    externalBytes: 1_000_000,
    lagP99Micros: 1_500,
    lagMaximumMicros: 12_000,
    busyPermille: 250,
    requests: 3,
    largeReadsWaiting: 0,
    unrecordedRefusals: 0,
    changeWaits: {
      first: { waiting: 0, ended: 0, waitedMs: 0 },
      users: { waiting: 0, ended: 0, waitedMs: 0 },
      strangers: { waiting: 0, ended: 0, waitedMs: 0 },
    },
  }),
  unsettledSends: () => [],
  maySend: () => true,
  sendSeen: () => undefined,
  emailSeen: () => undefined,
  discovery: () => sampleDiscovery,
  startCustody: () => undefined,
  expectShares: () => ({
    statement: '{}',
    signature: new Uint8Array(64),
    sources: '',
    given: 0,
    threshold: 2,
  }),
  giveShare: () => ({ refused: undefined, shareNumber: 1, given: 1, threshold: 2 }),
  openRows: () => ({ refused: [] }),
  fence: () => ({
    organizationId: 'organization',
    epoch: 1,
    row: {
      organizationId: 'custody',
      parentId: undefined,
      version: 2,
      guard: 2,
      head: new Uint8Array(0),
    },
  }),
  vouch: () => ({ mac: new Uint8Array(32) }),
  accept: () => ({ epoch: 2 }),
  custodyCopyStatus: () => ({ epoch: 1, state: 'serving', reason: undefined }),
  copyStatus: () => ({ epoch: 1, state: 'serving', reason: undefined }),
  webhookKeySet: () => ({ body: Buffer.from('{"keys":[]}') }),
};

function echo({ operation }: RequestOf<EnclaveMessages['request']>) {
  return {
    status: 200,
    body: Buffer.from(operation),
    activityId: undefined,
    organizationId: undefined,
    errorCode: undefined,
    allowedOrigin: undefined,
  };
}

/** Creates an enclave within this process that answers every message, with replaceable handlers. */
export function fakeEnclave(handlers: Partial<Handlers<EnclaveMessages>> = {}): FakeEnclave {
  const [near, far] = memoryChannels();
  const exited = Promise.withResolvers<string>();
  const rootKeys: Uint8Array[] = [];
  let wasKilled = false;
  far.onClose(() => exited.resolve('ended'));
  const all = { ...answers, ...handlers };
  const link = createLink({
    channel: far,
    calls: gatewayMessages,
    serves: enclaveMessages,
    handlers: {
      ...all,
      start: (request) => {
        if (request.rootKey !== undefined) rootKeys.push(request.rootKey);
        return all.start(request);
      },
    },
    closedCode: 'store_unavailable',
    log: () => {},
  });
  return {
    process: {
      pid: undefined,
      channel: near,
      exited: exited.promise,
      kill: () => {
        wasKilled = true;
        far.close();
      },
    },
    link,
    rootKeys,
    wasKilled: () => wasKilled,
  };
}
