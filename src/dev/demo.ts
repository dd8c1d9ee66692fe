// The demo of `keywright dev`: people, wallets, policies, a webhook endpoint and an approval that waits. Each
// is an ordinary activity over the HTTP API, sent by the person who would send it.

import { assert } from '../core/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/schema/json.ts';
import { newP256KeyPair, type P256KeyPair } from '../gateway/base/p256_key_pair.ts';
import type { RootCredentials } from '../gateway/enclave/root_credentials.ts';
import type { DevFolder, DevState } from './folder.ts';
import type { SeededWallets } from './seeded_wallets.ts';
import { callStamped, RefusedCallError } from './stamped_api.ts';

/** Users of the demo besides the root user, in the order shown. */
export const demoNames = ['alice', 'bob', 'carol'] as const;
type DemoName = (typeof demoNames)[number];

/** Target of the demo, and the credentials that create it. */
type DemoPlace = {
  readonly baseUrl: string;
  readonly root: RootCredentials;
  /** Receiver of the demo's events. */
  readonly webhookUrl: string;
  readonly folder: DevFolder;
  readonly random: (lengthBytes: number) => Uint8Array;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Optional. Default: random seeds. */
  readonly seeded?: SeededWallets | undefined;
};

type DemoStep = {
  readonly name: string;
  /** Default: the root user. */
  readonly by?: DemoName;
  readonly operation: string;
  readonly type: string;
  readonly parameters: (place: DemoPlace) => object;
};

/** Sends the requests of the demo that earlier starts have not sent. Raises RefusedCallError. */
export async function makeDemo(place: DemoPlace): Promise<void> {
  const { folder } = place;
  const missing = demoNames.filter((name) => folder.state().people[name] === undefined);
  if (missing.length > 0) {
    const made = missing.map((name) => [name, newP256KeyPair(place.random)] as const);
    const state = folder.state();
    // The keys must be on disk before they are registered.
    folder.save({ ...state, people: { ...state.people, ...Object.fromEntries(made) } });
  }
  for (const step of stepsOf(place)) {
    if (folder.state().steps[step.name]?.activity === undefined) await carryOut(step, place);
  }
}

/** Returns true if an earlier start finished the demo. */
export function hasDemo({ steps }: DevState): boolean {
  return steps[payment.name]?.activity !== undefined;
}

/** Returns the id of a user of the demo. */
export function userIdOf(state: DevState, name: DemoName): string {
  const ids = resultOf(state, people.name, 'createUsersResult')['userIds'];
  const id = Array.isArray(ids) ? ids[demoNames.indexOf(name)] : undefined;
  assert(typeof id === 'string', 'the demo has this user');
  return id;
}

/** Returns the id of the endpoint that delivers to the webhook inbox. */
export function endpointIdOf(state: DevState): string {
  return textIn(resultOf(state, endpoint.name, 'createWebhookEndpointResult'), 'endpointId');
}

/** Sends an activity with a new body, and returns the activity of the answer. Raises RefusedCallError. */
export async function submit(
  place: Pick<DemoPlace, 'baseUrl' | 'root' | 'clock'>,
  { operation, type, parameters }: Pick<DemoStep, 'operation' | 'type'> & { parameters: object },
  key: P256KeyPair,
): Promise<JsonObject> {
  const body = bodyOf(place, type, parameters);
  return activityIn(await callStamped(place.baseUrl, `/public/v1/submit/${operation}`, body, key));
}

async function carryOut(step: DemoStep, place: DemoPlace): Promise<void> {
  const { baseUrl, root, folder } = place;
  const key = step.by === undefined ? root : folder.state().people[step.by];
  assert(key !== undefined, 'each person in a step has a key');
  const path = `/public/v1/submit/${step.operation}`;
  const keep = (body: string, activity?: JsonObject) => {
    const state = folder.state();
    const kept = activity === undefined ? { body } : { body, activity: essenceOf(activity) };
    folder.save({ ...state, steps: { ...state.steps, [step.name]: kept } });
  };
  const newBody = () => bodyOf(place, step.type, step.parameters(place));
  let body = folder.state().steps[step.name]?.body;
  if (body === undefined) {
    body = newBody();
    keep(body);
  }
  try {
    keep(body, activityIn(await callStamped(baseUrl, path, body, key)));
  } catch (error) {
    const isOld = error instanceof RefusedCallError && error.fields.includes('timestampMs');
    if (!isOld) throw error;
    // The activity was never executed: the service finds existing activities before it checks the age.
    const fresh = newBody();
    keep(fresh);
    keep(fresh, activityIn(await callStamped(baseUrl, path, fresh, key)));
  }
}

const people: DemoStep = {
  name: 'people',
  operation: 'create_users',
  type: 'ACTIVITY_TYPE_CREATE_USERS_V4',
  parameters: ({ folder }) => ({
    users: demoNames.map((userName) => ({
      userName,
      userEmail: `${userName}@example.com`,
      apiKeys: [
        {
          apiKeyName: 'keywright dev',
          publicKey: folder.state().people[userName]?.apiPublicKey,
          curveType: 'API_KEY_CURVE_P256',
        },
      ],
      authenticators: [],
      oauthProviders: [],
      userTags: [],
    })),
  }),
};

const codes: DemoStep = {
  name: 'codes by e-mail',
  operation: 'set_organization_feature',
  type: 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE',
  parameters: () => ({ name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' }),
};

const walletNames = ['everyday', 'treasury'] as const;
type WalletName = (typeof walletNames)[number];

const accounts = [
  account('CURVE_SECP256K1', "m/44'/60'/0'/0/0", 'ADDRESS_FORMAT_ETHEREUM'),
  account('CURVE_ED25519', "m/44'/501'/0'/0'", 'ADDRESS_FORMAT_SOLANA'),
];

/** Returns the steps of a new wallet. With a seed, these are the import target and the import. */
function walletSteps(
  walletName: WalletName,
  seeded: SeededWallets | undefined,
): readonly DemoStep[] {
  if (seeded === undefined) {
    return [
      {
        name: walletName,
        operation: 'create_wallet',
        type: 'ACTIVITY_TYPE_CREATE_WALLET',
        parameters: () => ({ walletName, accounts }),
      },
    ];
  }
  const target = `target of ${walletName}`;
  return [
    {
      name: target,
      operation: 'init_import_wallet',
      type: 'ACTIVITY_TYPE_INIT_IMPORT_WALLET',
      parameters: ({ root: { userId } }) => ({ userId }),
    },
    {
      name: walletName,
      operation: 'import_wallet',
      type: 'ACTIVITY_TYPE_IMPORT_WALLET',
      parameters: ({ root: { userId }, folder }) => {
        const result = resultOf(folder.state(), target, 'initImportWalletResult');
        const encryptedBundle = seeded.seal(walletName, textIn(result, 'importBundle'));
        return { userId, walletName, encryptedBundle, accounts };
      },
    },
  ];
}

const policies: DemoStep = {
  name: 'policies',
  operation: 'create_policies',
  type: 'ACTIVITY_TYPE_CREATE_POLICIES',
  parameters: ({ folder }) => {
    const state = folder.state();
    const [alice, bob, carol] = demoNames.map((name) => `'${userIdOf(state, name)}'`);
    const signingWith = (name: WalletName) =>
      `activity.action == 'SIGN' && wallet.id == '${walletIdOf(state, name)}'`;
    return {
      policies: [
        {
          policyName: 'alice and bob sign with everyday',
          effect: 'EFFECT_ALLOW',
          condition: signingWith('everyday'),
          consensus: `approvers.any(user, user.id in [${alice}, ${bob}])`,
          notes: 'One of the two suffices.',
        },
        {
          policyName: 'two of three sign with treasury',
          effect: 'EFFECT_ALLOW',
          condition: signingWith('treasury'),
          consensus: `approvers.filter(user, user.id in [${alice}, ${bob}, ${carol}]).count() >= 2`,
          notes: 'The requester is the first approver.',
        },
        {
          policyName: 'carol creates wallets',
          effect: 'EFFECT_ALLOW',
          condition: "activity.resource == 'WALLET' && activity.action == 'CREATE'",
          consensus: `approvers.any(user, user.id == ${carol})`,
          notes: '',
        },
        {
          policyName: 'only the root quorum exports',
          effect: 'EFFECT_DENY',
          condition: "activity.action == 'EXPORT'",
          notes: 'A DENY is stronger than every ALLOW; the root quorum stands above both.',
        },
      ],
    };
  },
};

const endpoint: DemoStep = {
  name: 'webhook endpoint',
  operation: 'create_webhook_endpoint',
  type: 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT',
  parameters: ({ webhookUrl }) => ({
    url: webhookUrl,
    name: 'Webhook inbox of keywright dev',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  }),
};

/** Half an ether on Sepolia, to an address without a known key: EIP-1559, nonce 0. */
const unsignedPayment =
  '02f383aa36a7808459682f008506fc23ac0082520894000000000000000000000000000000000000dead8806f05b59d3b2000080c0';

const payment: DemoStep = {
  name: 'payment that waits',
  by: 'alice',
  operation: 'sign_transaction',
  type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
  parameters: ({ folder }) => ({
    signWith: walletIn(folder.state(), 'treasury').addresses[0],
    type: 'TRANSACTION_TYPE_ETHEREUM',
    unsignedTransaction: unsignedPayment,
  }),
};

function stepsOf({ seeded }: DemoPlace): readonly DemoStep[] {
  const wallets = walletNames.flatMap((name) => walletSteps(name, seeded));
  return [people, codes, ...wallets, policies, endpoint, payment];
}

function walletIdOf(state: DevState, name: WalletName): string {
  return walletIn(state, name).walletId;
}

function walletIn(state: DevState, name: WalletName) {
  const result = state.steps[name]?.activity?.['result'];
  assert(isJsonObject(result), 'the wallet was made');
  const made = result['createWalletResult'] ?? result['importWalletResult'];
  assert(isJsonObject(made) && Array.isArray(made['addresses']), 'a wallet has addresses');
  return { walletId: textIn(made, 'walletId'), addresses: made['addresses'] };
}

function resultOf(state: DevState, step: string, name: string): JsonObject {
  const results: Json | undefined = state.steps[step]?.activity?.['result'];
  const result = isJsonObject(results) ? results[name] : undefined;
  assert(isJsonObject(result), `the step ${step} has a result`);
  return result;
}

function textIn(object: JsonObject, member: string): string {
  const value = object[member];
  assert(typeof value === 'string', `${member} is a text`);
  return value;
}

function activityIn(answer: JsonObject): JsonObject {
  const { activity } = answer;
  assert(isJsonObject(activity), 'a submit answers an activity');
  return activity;
}

/** Returns the members of an activity that later steps read. */
function essenceOf({ id = null, status = null, result = null }: JsonObject): JsonObject {
  return { id, status, result };
}

function bodyOf(
  { root, clock }: Pick<DemoPlace, 'root' | 'clock'>,
  type: string,
  parameters: object,
): string {
  const { organizationId } = root;
  return JSON.stringify({ type, timestampMs: String(clock()), organizationId, parameters });
}

function account(curve: string, path: string, addressFormat: string) {
  return { curve, pathFormat: 'PATH_FORMAT_BIP32', path, addressFormat };
}
