// Organizations that must be isolated from each other: a parent, two of its children, a deleted child, and
// an unrelated parent. Each has one row of every kind, created in the same way.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { hex, utf8 } from '../../src/core/base/bytes.ts';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { smallKinds } from '../../src/core/organization/kinds.ts';
import type { OrganizationHead } from '../../src/core/organization/model.ts';
import type { OrganizationDraft } from '../../src/core/organization/state.ts';
import { createDraft, emptySmallState } from '../../src/core/organization/state.ts';
import type { NewOrganization } from '../../src/pipeline/ports.ts';
import { makeLabel } from '../operations/address_book/address_label_requests.ts';
import { describedPasskey } from '../operations/authenticators/authenticator_requests.ts';
import { putRegistry, type RegistryIds } from '../operations/deployments/deployment_requests.ts';
import {
  startClaim,
  startDeposit,
  startWithdrawal,
  startWrapper,
} from '../operations/earn/earn_requests.ts';
import { makeInvitation } from '../operations/invitations/invitation_requests.ts';
import { letAnswer, makeCredential } from '../operations/oauth/oauth_requests.ts';
import { makeProviders } from '../operations/oauth_providers/oauth_provider_requests.ts';
import {
  sealedCode,
  startedOtp,
  startedOtpAuth,
  verifiedToken,
} from '../operations/one_time_codes/otp_requests.ts';
import {
  addHolder,
  keyState,
  makeKey,
  unseal,
} from '../operations/organization_keys/organization_key_requests.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import { describedSecret, initSecrets, makeSecret } from '../operations/secrets/secret_requests.ts';
import { startSend } from '../operations/sending/send_requests.ts';
import { makeSolanaAccounts } from '../operations/sending/solana_requests.ts';
import { describedContract } from '../operations/smart_contract_interfaces/smart_contract_interface_requests.ts';
import { makeQuote, startSwap } from '../operations/swaps/swap_requests.ts';
import { makeControl } from '../operations/velocity_controls/velocity_control_requests.ts';
import { initImport, knownSentence, sealedBytes } from '../operations/wallets/transfer_requests.ts';
import { makeEndpoint } from '../operations/webhooks/webhook_requests.ts';
import {
  type Sender,
  type Snapshot,
  startTestService,
  type TestAnswer,
  type TestKey,
  type TestService,
  testKey,
} from '../support/harness.ts';
import { createTestIssuer, nonceOf, publish } from '../support/identity_provider.ts';

export const tenantNames = ['parent', 'child', 'sibling', 'deleted', 'unrelated'] as const;
export type TenantName = (typeof tenantNames)[number];

/** One organization, the ids of its rows, and the key of its root user. */
export type Tenant = Ids & {
  readonly name: TenantName;
  readonly parentId: string | undefined;
  readonly key: TestKey;
};

type Ids = RegistryIds & {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly rootUserId: string;
  readonly userId: string;
  readonly userPublicKey: string;
  readonly userEmail: string;
  /** A live code, sealed like by a client. */
  readonly otpId: string;
  readonly sealedCode: string;
  /** A code that can be exchanged for an API key. */
  readonly authOtpId: string;
  readonly authCode: string;
  readonly verificationToken: string;
  readonly apiKeyId: string;
  readonly authenticatorId: string;
  readonly credentialId: string;
  readonly oauthProviderId: string;
  /** A token of the plain user's account, for a session of this key. */
  readonly oidcToken: string;
  readonly sessionPublicKey: string;
  readonly oauth2CredentialId: string;
  readonly userTagId: string;
  readonly walletId: string;
  readonly walletAccountId: string;
  readonly address: string;
  readonly solanaAddress: string;
  readonly privateKeyId: string;
  readonly privateKeyAddress: string;
  readonly privateKeyTagId: string;
  /** Sealed by the root user to targets of imports. */
  readonly sealedWallet: string;
  readonly sealedPrivateKey: string;
  readonly secretId: string;
  readonly invitationId: string;
  /** A secret in the form of requests, as JSON. */
  readonly sealedSecret: string;
  readonly smartContractInterfaceId: string;
  readonly policyId: string;
  readonly velocityControlId: string;
  readonly addressLabelId: string;
  /** The key of the unrelated organization and two of its holders; unused ids for other tenants. */
  readonly organizationKeyId: string;
  readonly keyHolderId: string;
  readonly spareHolderId: string;
  /** A freeze of a deleted key. */
  readonly freezeId: string;
  readonly sendTransactionStatusId: string;
  readonly claimRequestId: string;
  readonly deployRequestId: string;
  readonly depositRequestId: string;
  readonly withdrawRequestId: string;
  readonly swapQuoteId: string;
  readonly swapRequestId: string;
  readonly webhookEndpointId: string;
  readonly mfaPolicyId: string;
  /** For children, the profile of their parent. */
  readonly sessionProfileId: string;
  readonly activityId: string;
  /** The key of the enclave. Proofs of all tenants name it, so it is not a secret of one tenant. */
  readonly ephemeralKey: string;
  /** An activity of the plain user that waits for a vote. */
  readonly pendingActivityId: string;
  readonly pendingFingerprint: string;
};

export type Tenants = {
  readonly service: TestService;
  readonly all: ReadonlyMap<TenantName, Tenant>;
  /** Returns a digest over every row of every organization. */
  readonly stored: () => Promise<string>;
  /** The activity that unseals the unrelated organization in a copy; it waits if two users must approve. */
  readonly unsealing?: TestAnswer;
  readonly close: () => void;
};

/** The issuer of all tenants' tokens. */
export const tenantIssuer = createTestIssuer();

/** Returns the account that every tenant derives from its own seed. */
export const tenantAccount = (index = 0) => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: `m/44'/60'/0'/0/${index}`,
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
});

/** Returns a service in memory with all tenants. All but the first of a process are copies. */
export async function startTenants(): Promise<Tenants> {
  first ??= makeTenants();
  return await copyOf(await first);
}

let first: Promise<TenantsSnapshot> | undefined;

async function makeTenants(): Promise<TenantsSnapshot> {
  const made = await fillTenants();
  const snapshot = snapshotOf(made);
  made.close();
  return snapshot;
}

/** The tenants of a service at one moment. */
export type TenantsSnapshot = Pick<Tenants, 'all'> & { readonly state: Snapshot };

export function snapshotOf({ all, service }: Tenants): TenantsSnapshot {
  return { all, state: service.snapshot() };
}

/** Starts a service from a snapshot, like after a restart. */
export async function copyOf(
  { all, state }: TenantsSnapshot,
  options: Parameters<typeof startTestService>[0] = {},
): Promise<Tenants> {
  const logged: string[] = [];
  const service = await startTestService({ ...options, log: logged, from: state });
  publish(service, tenantIssuer);
  letAnswer(service);
  // Each start of an enclave has a new key.
  const ephemeralKey = await ephemeralKeyOf(service);
  const own = [...all].map(([name, tenant]) => [name, { ...tenant, ephemeralKey }] as const);
  // A new enclave starts sealed.
  const { keyHolderId, organizationId, key } = all.get('unrelated') ?? assert.fail();
  const unsealing = await unseal(service, keyHolderId, {}, { organizationId, key });
  assert.equal(unsealing.status, 200, JSON.stringify(unsealing.body));
  return { ...tenantsOf(service, new Map(own), logged), unsealing };
}

/** Starts a service that creates all tenants, in memory unless a file is named. */
export async function fillTenants(databaseFile?: string): Promise<Tenants> {
  const logged: string[] = [];
  const inFile = databaseFile === undefined ? {} : { databaseFile };
  const service = await startTestService({ log: logged, ...inFile });
  publish(service, tenantIssuer);
  letAnswer(service);
  const all = new Map<TenantName, Tenant>();
  for (const name of tenantNames) all.set(name, await createTenant(service, name));
  await made(service, 'enable_auth_proxy', 'ACTIVITY_TYPE_ENABLE_AUTH_PROXY', {}, service.root);
  const gone = all.get('deleted');
  assert(gone !== undefined);
  const type = 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION';
  await made(service, 'delete_sub_organization', type, { deleteWithoutExport: true }, gone);
  const waiting = await service.store.log.next({ limit: 512 });
  await service.enclave.appendLog({ waiting: [...waiting] });
  await service.store.log.done(waiting);
  return tenantsOf(service, all, logged);
}

function tenantsOf(
  service: TestService,
  all: ReadonlyMap<TenantName, Tenant>,
  logged: readonly string[],
): Tenants {
  const ids = [...all.values()].map((tenant) => tenant.organizationId);
  const close = (): void => {
    service.close();
    assert.deepEqual(logged, [], 'nothing was unforeseen');
  };
  return { service, all, stored: () => digestOf(service, ids), close };
}

/** Returns the members of a tenant that an outsider must never learn. */
export function markersOf(tenant: Tenant): readonly string[] {
  const { name, parentId, key, ephemeralKey, ...ids } = tenant;
  return [...Object.values(ids), key.publicKey];
}

async function createTenant(service: TestService, name: TenantName): Promise<Tenant> {
  const key = name === 'parent' ? service.root.key : testKey(`root of ${name}`);
  const userKey = testKey(`user of ${name}`);
  const parentId =
    name === 'parent' || name === 'unrelated' ? undefined : service.root.organizationId;
  let rootUserId = service.root.userId;
  let organizationId = service.root.organizationId;
  let registry: RegistryIds | undefined;
  let sessionProfileId: string | undefined;
  let mfaPolicyId: string | undefined;
  let freezeId = '';
  const [userId, apiKeyId, userTagId] = await changeAndGive(service, (first, newId) => {
    const [user, apiKey, tag, root, rootKey, own, spare] = Array.from({ length: 7 }, newId);
    assert(user && apiKey && tag && root && rootKey && own && spare);
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    const fill = (draft: OrganizationDraft): void => {
      draft.put('tag', { id: tag, name: `Tag of ${name}`, type: 'TAG_TYPE_USER', ...times });
      const email = emailOf(name);
      draft.put('user', { id: user, name: `User of ${name}`, email, tagIds: [tag], ...times });
      putKey(draft, apiKey, user, userKey);
      putKey(draft, spare, user, testKey(`spare key of ${name}`));
      mfaPolicyId = putMfaPolicy(draft, newId(), user, service.now());
      draft.put('ip_allowlist', {
        id: newId(),
        publicKey: userKey.publicKey,
        enabled: true,
        rules: [],
        onEvaluationError: 'DENY',
        ...times,
      });
      sessionProfileId =
        parentId === undefined
          ? putSessionProfile(draft, newId(), service.now())
          : first.list('session_profile')[0]?.id;
      registry = putRegistry(draft, { now: service.now(), newId });
      freezeId = newId();
      const type = 'FREEZE_TYPE_PRIVATE_KEY' as const;
      draft.put('freeze', { id: freezeId, type, resourceId: newId(), userId: user, ...times });
    };
    const putKey = (draft: OrganizationDraft, id: string, holder: string, held: TestKey): void =>
      draft.put('api_key', {
        id,
        userId: holder,
        name: `Key ${id}`,
        publicKey: held.publicKey,
        type: 'CREDENTIAL_TYPE_API_KEY_P256',
        ...times,
      });
    if (name === 'parent') {
      fill(first);
      first.setHead({ features });
      return { ids: [user, apiKey, tag], children: [] };
    }
    [organizationId, rootUserId] = [own, root];
    const head: OrganizationHead = {
      name: `Organization ${name}`,
      rootQuorum: { threshold: 1, userIds: [root] },
      features,
      ...times,
    };
    const draft = createDraft({
      id: own,
      parentId,
      version: 0,
      guard: 0,
      head,
      records: emptySmallState(),
    });
    draft.put('user', { id: root, name: `Root of ${name}`, tagIds: [], ...times });
    putKey(draft, rootKey, root, key);
    fill(draft);
    const children = [{ id: own, parentId, head, changes: draft.changes() }];
    return { ids: [user, apiKey, tag], children };
  });
  assert(userId && apiKeyId && userTagId && registry && sessionProfileId && mfaPolicyId);

  const as = { organizationId, key };
  const passkey = describedPasskey(`Passkey of ${name}`);
  const passkeys = await made(
    service,
    'create_authenticators',
    'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
    { userId, authenticators: [passkey] },
    as,
  );
  const sessionPublicKey = testKey(`session of ${name}`).publicKey;
  const nonce = nonceOf(sessionPublicKey);
  const oidcToken = tenantIssuer.token(service, { sub: `user of ${name}`, nonce });
  const account = { providerName: `Account of ${name}`, oidcToken };
  const [oauthProviderId] = await makeProviders(service, userId, [account], as);
  assert(oauthProviderId !== undefined);
  const wallet = await made(
    service,
    'create_wallet',
    'ACTIVITY_TYPE_CREATE_WALLET',
    { walletName: `Wallet of ${name}`, accounts: [tenantAccount()] },
    as,
  );
  const { walletId, addresses } = wallet.result.createWalletResult;
  const [solanaAddress = ''] = await makeSolanaAccounts(service, { as });
  const contact = { contact: emailOf(name) };
  // Each user identifier has its own limit.
  const otp = await startedOtp(service, { ...contact, userIdentifier: 'first' }, as);
  const authOtp = await startedOtpAuth(service, { ...contact, userIdentifier: 'second' }, as);
  const verificationToken = await verifiedToken(service, {
    changes: { ...contact, userIdentifier: 'third' },
    as,
  });
  await service.enclave.emailSeen({
    organizationId,
    messageId: organizationId,
    eventType: 'Send',
    from: `sender@${name}.example`,
    to: emailOf(name),
    reason: undefined,
    isPermanent: undefined,
  });
  const { body } = await service.query('list_wallet_accounts', { walletId }, as);
  const keys = await made(
    service,
    'create_private_keys',
    'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
    { privateKeys: [privateKeyOf(`Private key of ${name}`)] },
    as,
  );
  const [privateKey] = keys.result.createPrivateKeysResultV2.privateKeys;
  const tag = await made(
    service,
    'create_private_key_tag',
    'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG',
    {
      privateKeyTagName: `Key tag of ${name}`,
      privateKeyIds: [privateKey.privateKeyId],
    },
    as,
  );
  const contract = await made(
    service,
    'create_smart_contract_interface',
    'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE',
    describedContract({ label: `Contract of ${name}` }),
    as,
  );
  const policy = await made(
    service,
    'create_policy',
    'ACTIVITY_TYPE_CREATE_POLICY_V3',
    policyOf(`Policy of ${name}`),
    as,
  );
  await made(
    service,
    'create_policy',
    'ACTIVITY_TYPE_CREATE_POLICY_V3',
    {
      ...policyOf(`Votes of ${name}`),
      condition: "activity.kind == 'CREATE_USER_TAG'",
      consensus: 'approvers.count() >= 2',
    },
    as,
  );
  const pending = await made(
    service,
    'create_user_tag',
    'ACTIVITY_TYPE_CREATE_USER_TAG',
    { userTagName: `Pending of ${name}`, userIds: [] },
    { organizationId, key: userKey },
  );
  assert.equal(pending.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const organizationKey = await organizationKeyOf(service, name, as);
  return {
    ...organizationKey,
    ...registry,
    name,
    key,
    parentId,
    organizationId,
    organizationName: name === 'parent' ? 'Test organization' : `Organization ${name}`,
    rootUserId,
    userId,
    userPublicKey: userKey.publicKey,
    userEmail: emailOf(name),
    otpId: otp.otpId,
    sealedCode: await sealedCode(otp.code, otp.bundle),
    authOtpId: authOtp.otpId,
    authCode: authOtp.code,
    verificationToken,
    apiKeyId,
    authenticatorId: passkeys.result.createAuthenticatorsResult.authenticatorIds[0],
    credentialId: passkey.attestation.credentialId,
    oauthProviderId,
    oidcToken,
    sessionPublicKey,
    oauth2CredentialId: await makeCredential(service, { clientId: `client of ${name}` }, as),
    userTagId,
    walletId,
    walletAccountId: body.accounts[0].walletAccountId,
    address: addresses[0],
    solanaAddress,
    privateKeyId: privateKey.privateKeyId,
    privateKeyAddress: privateKey.addresses[0].address,
    privateKeyTagId: tag.result.createPrivateKeyTagResult.privateKeyTagId,
    sealedWallet: sealedBytes(
      await initImport(service, 'wallet', { ...as, userId: rootUserId }),
      utf8(knownSentence),
    ),
    sealedPrivateKey: sealedBytes(
      await initImport(service, 'private_key', { ...as, userId: rootUserId }),
      sha256(utf8(name)),
    ),
    invitationId: await makeInvitation(service, { ...as, senderUserId: rootUserId }),
    secretId: await makeSecret(service, `Secret of ${name}`, { as }),
    sealedSecret: JSON.stringify(
      describedSecret((await initSecrets(service, 1, as))[0] ?? '', `Another of ${name}`),
    ),
    smartContractInterfaceId:
      contract.result.createSmartContractInterfaceResult.smartContractInterfaceId,
    policyId: policy.result.createPolicyResult.policyId,
    velocityControlId: await makeControl(service, { name: `Control of ${name}` }, as),
    addressLabelId: await makeLabel(service, { label: `label_of_${name}` }, as),
    freezeId,
    sendTransactionStatusId: await startSend(service, addresses[0], as),
    claimRequestId: await startClaim(service, addresses[0], as),
    deployRequestId: await startWrapper(service, addresses[0], as),
    depositRequestId: await startDeposit(service, addresses[0], as),
    withdrawRequestId: await startWithdrawal(service, addresses[0], as),
    swapQuoteId: (await makeQuote(service, addresses[0], as)).quoteId,
    swapRequestId: await startSwap(service, addresses[0], as),
    webhookEndpointId: await makeEndpoint(service, { name: `Hook of ${name}` }, as),
    sessionProfileId,
    mfaPolicyId,
    activityId: wallet.id,
    ephemeralKey: await ephemeralKeyOf(service, as),
    pendingActivityId: pending.id,
    pendingFingerprint: pending.fingerprint,
  };
}

async function ephemeralKeyOf(service: TestService, as: Sender = {}): Promise<string> {
  const { body } = await service.query('get_latest_boot_proof', {}, as);
  return body.bootProof.ephemeralPublicKeyHex;
}

type KeyIds = Pick<Ids, 'organizationKeyId' | 'keyHolderId' | 'spareHolderId'>;

/** Creates a key for the unrelated organization, and unused ids for the other tenants. */
async function organizationKeyOf(
  service: TestService,
  name: TenantName,
  as: Required<Sender>,
): Promise<KeyIds> {
  if (name !== 'unrelated') {
    const [organizationKeyId, keyHolderId, spareHolderId] = await changeAndGive(
      service,
      (_, newId) => ({ ids: [newId(), newId(), newId()], children: [] }),
    );
    assert(organizationKeyId && keyHolderId && spareHolderId);
    return { organizationKeyId, keyHolderId, spareHolderId };
  }
  const keyHolderId = await makeKey(service, 'treasurer', as);
  const { body } = await addHolder(service, 'spare', as);
  const { organizationKey } = await keyState(service, as);
  return {
    organizationKeyId: organizationKey.organizationKeyId,
    keyHolderId,
    spareHolderId: body.activity.result.createKeyHolderResult.holderId,
  };
}

const emailOf = (name: TenantName): string => `user-of-${name}@example.com`;

const features = (['EMAIL_AUTH', 'OTP_EMAIL_AUTH', 'EMAIL_RECOVERY'] as const).map((name) => ({
  name: `FEATURE_NAME_${name}` as const,
}));

/** Adds a policy that never applies. */
function putMfaPolicy(draft: OrganizationDraft, id: string, userId: string, now: number): string {
  const requiredMethods = [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] }] as const;
  const times = { createdAtMs: now, updatedAtMs: now };
  const row = { id, userId, name: 'Factors', condition: 'false', requiredMethods, order: 0 };
  draft.put('mfa_policy', { ...row, ...times });
  return id;
}

function putSessionProfile(draft: OrganizationDraft, id: string, now: number): string {
  const times = { createdAtMs: now, updatedAtMs: now };
  draft.put('session_profile', { id, name: 'Profile', scope: 'true', ...times });
  return id;
}

/** Returns a private key in the form of requests. */
export const privateKeyOf = (privateKeyName: string, privateKeyTags: readonly string[] = []) => ({
  privateKeyName,
  curve: 'CURVE_SECP256K1',
  privateKeyTags,
  addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
});

/** Returns a policy in the form of requests; it never applies. */
export const policyOf = (policyName: string) => ({
  policyName,
  effect: 'EFFECT_ALLOW',
  condition: 'false',
  notes: '',
});

async function made(
  service: TestService,
  operation: string,
  type: string,
  parameters: object,
  { organizationId, key }: Required<Sender>,
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
): Promise<any> {
  const answer = await service.submit(operation, type, parameters, { organizationId, key });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.activity;
}

type Change = { readonly ids: readonly string[]; readonly children: readonly NewOrganization[] };

async function changeAndGive(
  service: TestService,
  change: (draft: OrganizationDraft, newId: () => string) => Change,
): Promise<readonly string[]> {
  let ids: readonly string[] = [];
  await changeOrganization(service, (draft, newId) => {
    const changed = change(draft, newId);
    ids = changed.ids;
    return changed.children;
  });
  return ids;
}

async function digestOf(service: TestService, ids: readonly string[]): Promise<string> {
  const { port } = service.store;
  const hash = createHash('sha256');
  const page = { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 10_000 };
  for (const organizationId of ids) {
    const asked = { kinds: smallKinds, knownVersion: 0, fingerprint: undefined };
    const small = await port.organization({ organizationId, ...asked });
    const ofAccounts = { kind: 'wallet_account', groupId: undefined, page };
    const accounts = await port.recordPage({ organizationId, ...ofAccounts });
    const activities = await port.activityPage({ organizationId, statuses: [], types: [], page });
    const children = await port.children({ parentId: organizationId, page });
    const bytes = (_: string, value: unknown) => (value instanceof Uint8Array ? hex(value) : value);
    hash.update(JSON.stringify([small, accounts, activities, children], bytes));
  }
  return hash.digest('hex');
}
