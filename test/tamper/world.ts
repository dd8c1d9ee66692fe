// A populated database to attack: two parents with children. Each organization has users, keys, tags,
// wallets, accounts and private keys, some of which have been deleted.

import assert from 'node:assert/strict';
import { createIdSource } from '../../src/core/base/ids.ts';
import { createDraft, emptySmallState } from '../../src/core/organization/state.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { createRecordCodec } from '../../src/enclave/records/record_codec.ts';
import { createRepository } from '../../src/enclave/records/repository.ts';
import type { StorePort } from '../../src/store/port.ts';
import { proposalOn } from '../enclave/proposals.ts';
import { activityBody, queryBody, startServiceOver } from '../enclave/service_over.ts';
import {
  describedApp,
  describedDeployment,
  describedSet,
  encryptKey,
  manifestDigestIn,
  signAs,
} from '../operations/deployments/deployment_requests.ts';
import { describedSecret, encryptionSuite } from '../operations/secrets/secret_requests.ts';
import { describedGasUsage, sponsorOf } from '../operations/sending/gas_usage_requests.ts';
import { describedSend } from '../operations/sending/send_requests.ts';
import { describedSolanaSend } from '../operations/sending/solana_requests.ts';
import {
  transaction,
  transfer,
  watchedChain,
} from '../operations/transaction_history/watched_chain.ts';
import { seededRandom, startMs, type TestKey, testKey, testRootKey } from '../support/harness.ts';
import { createTestOutside } from '../support/outside.ts';
import { type Access, grantAccess, issuer } from './access.ts';
import type { TableAccess, Tables } from './tables.ts';

/** A body that was sent once, and answered. */
export type SentBody = {
  readonly operation: string;
  readonly body: Uint8Array;
  readonly key: TestKey;
};

export type Tenant = {
  readonly name: string;
  readonly organizationId: string;
  readonly parent: Tenant | undefined;
  readonly rootKey: TestKey;
  readonly userKey: TestKey;
  /** The deleted key of an existing user. */
  readonly deletedKey: TestKey;
  readonly deletedUserKey: TestKey;
  readonly rootUserId: string;
  readonly userId: string;
  readonly deletedUserId: string;
  readonly walletId: string;
  readonly otherWalletId: string;
  readonly deletedWalletId: string;
  /** The addresses of the wallet: two accounts with one path, and one with another. */
  readonly addresses: readonly string[];
  readonly otherAddress: string;
  readonly deletedAddress: string;
  readonly deletedAccountId: string;
  readonly addressOfDeletedWallet: string;
  readonly privateKeyId: string;
  readonly sendTransactionStatusId: string;
  /** A final send from the address of the other wallet, with nonce 0. */
  readonly finalSendId: string;
  /** One send of Solana that is not final yet, and one that is. */
  readonly solanaSendIds: readonly string[];
  readonly privateKeyAddress: string;
  readonly deletedPrivateKeyId: string;
  readonly deletedPrivateKeyAddress: string;
  readonly apiKeyId: string;
  readonly deletedApiKeyId: string;
  /** Only the first two tenants have it. */
  readonly access: Access | undefined;
  readonly endpointId: string;
  readonly appId: string;
  /** One deployment is live, one waits for an approval, and one is deleted. */
  readonly deploymentIds: {
    readonly live: string;
    readonly open: string;
    readonly deleted: string;
  };
  readonly activityIds: readonly string[];
  /** Activities of the user that the root user voted on, or that wait for a vote. */
  readonly votedOn: VotedOn;
};

type Submitted = { readonly id: string; readonly fingerprint: string; readonly status: string };
type VotedOn = {
  readonly open: Submitted;
  readonly approved: Submitted;
  readonly rejected: Submitted;
};

export type World = {
  readonly tenants: readonly Tenant[];
  readonly deletedChild: { readonly organizationId: string; readonly key: TestKey };
  /** A key that exists in two children of the first parent. */
  readonly sharedKey: TestKey;
  /** Bodies sent in the hour before `nowMs`, and earlier ones. */
  readonly youngBodies: readonly SentBody[];
  readonly oldBodies: readonly SentBody[];
  /** The tables after every change; the last ones are current. */
  readonly history: readonly Tables[];
  readonly tables: Tables;
  readonly nowMs: number;
};

export const bootstrapRequest = {
  organizationName: 'First parent',
  userName: 'Root of first',
  apiKeyName: 'Root key',
  apiPublicKey: testKey('root of first').publicKey,
  enablesAuthProxy: false,
};

const account = (path: string, addressFormat: string, name?: string) => ({
  curve: addressFormat === 'ADDRESS_FORMAT_SOLANA' ? 'CURVE_ED25519' : 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path,
  addressFormat,
  ...(name === undefined ? {} : { name }),
});
const ethereum = (path: string, name?: string) => account(path, 'ADDRESS_FORMAT_ETHEREUM', name);

/** Addresses that received mails, in the letter case of the queries. */
export const mailedAddresses = ['guest@example.com', 'User@Example.com'] as const;

/** An account that no wallet of the world has. */
export const newAccount = ethereum("m/44'/60'/0'/0/9", 'New account');
export const takenAccount = ethereum("m/44'/60'/0'/0/0");
/** The path of two accounts of each wallet, and a path of only one. */
export const sharedPath = takenAccount.path;
export const onlyPath = "m/44'/501'/0'";

/** Builds the world through a store, and reads its tables after every change. */
export async function buildWorld(store: StorePort, tables: TableAccess): Promise<World> {
  let now = startMs;
  const clock = () => now;
  const outside = createTestOutside();
  outside.issuers.set(issuer.issuer, issuer.keySet);
  const service = await startServiceOver({ store, seed: 'tamper world', clock, outside });
  const history: Tables[] = [];
  let sent: SentBody[] = [];
  const bootstrapped = await service.enclave.bootstrap(bootstrapRequest);
  history.push(await tables.read());

  /**
   * Reports that a node has the transaction, and then that a block includes it. Its row then has three
   * versions.
   */
  async function advance(organizationId: string, sendId: string, newest = 6): Promise<void> {
    const hash = `0x${'ab'.repeat(32)}`;
    for (const inclusion of [undefined, { number: 5, hash, error: undefined }]) {
      now += 1;
      await service.enclave.sendSeen({
        organizationId,
        sendId,
        confirmations: 3,
        solana: undefined,
        ethereum: { usedAtFinal: '0', newest, isTaken: true, inclusion },
      });
      history.push(await tables.read());
    }
  }

  /** Reports the progress of a transaction of Solana, up to a level of confirmation. */
  async function advanceSolana(
    organizationId: string,
    sendId: string,
    levels: readonly string[],
  ): Promise<void> {
    const absent = { signature: undefined, failure: undefined };
    for (const level of [undefined, ...levels]) {
      now += 1;
      const inclusion = level === undefined ? undefined : { slot: 1_005, level, ...absent };
      await service.enclave.sendSeen({
        organizationId,
        sendId,
        confirmations: 3,
        ethereum: undefined,
        solana: { slot: 1_006, isTaken: true, inclusion, end: undefined },
      });
      history.push(await tables.read());
    }
  }

  /** Reports the outcomes of mails to two addresses: three events for the first, and one for the other. */
  async function tellOfMails(organizationId: string): Promise<void> {
    const [reason, isPermanent] = ['EENVELOPE 450', false];
    const [first, second] = mailedAddresses;
    const events = [
      { to: first, eventType: 'DeliveryDelay', reason, isPermanent },
      { to: second, eventType: 'Send' },
      { to: first, eventType: 'Send' },
      { to: first, eventType: 'Bounce', reason: 'EENVELOPE 550', isPermanent: true },
    ];
    for (const [place, event] of events.entries()) {
      now += 1;
      await service.enclave.emailSeen({
        organizationId,
        messageId: `00000000-0000-7000-8000-00000000000${place}`,
        from: 'keys@example.com',
        reason: undefined,
        isPermanent: undefined,
        ...event,
      });
      history.push(await tables.read());
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
  type Result = any;
  async function submit(
    organizationId: string,
    key: TestKey,
    type: string,
    parameters: object,
    more: object = {},
  ): Promise<Submitted & { readonly result: Result }> {
    now += 1;
    const [, operation = ''] = /^ACTIVITY_TYPE_(.*?)(?:_V\d)?$/.exec(type) ?? [];
    const body = activityBody(type, organizationId, parameters, now, more);
    const answer = await service.send('submit', operation.toLowerCase(), body, key);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    sent.push({ operation: operation.toLowerCase(), body, key });
    history.push(await tables.read());
    const { id, fingerprint, status, result } = answer.body.activity;
    return { id, fingerprint, status, result: Object.values(result)[0] };
  }

  /** Creates policies: the user may make some requests alone, some with a vote, and some not at all. */
  async function makePolicies(
    make: (type: string, parameters: object) => Promise<Result>,
    userId: string,
  ): Promise<void> {
    const byUser = `approvers.any(user, user.id == '${userId}')`;
    const allow = { effect: 'EFFECT_ALLOW', consensus: byUser, notes: '' };
    const policies = [
      { ...allow, policyName: 'Signs', condition: "activity.action == 'SIGN'" },
      {
        ...allow,
        policyName: 'Not with this wallet',
        effect: 'EFFECT_DENY',
        condition: "activity.action == 'SIGN' && wallet.label == 'Wallet'",
      },
      {
        ...allow,
        policyName: 'Tags together with others',
        condition: "activity.resource == 'USER' && activity.action == 'CREATE'",
        consensus: 'approvers.count() >= 2',
      },
      { ...allow, policyName: 'Deleted', condition: "activity.action == 'UPDATE'" },
    ];
    const made: string[] = [];
    for (const policy of policies) {
      made.push((await make('ACTIVITY_TYPE_CREATE_POLICY_V3', policy)).policyId);
    }
    await make('ACTIVITY_TYPE_DELETE_POLICY', { policyId: made.at(-1) });
  }

  async function takeVotes(organizationId: string, name: string): Promise<VotedOn> {
    const { rootKey, userKey } = keysOf(name);
    const ask = (userTagName: string) => {
      const parameters = { userTagName, userIds: [] };
      return submit(organizationId, userKey, 'ACTIVITY_TYPE_CREATE_USER_TAG', parameters);
    };
    const vote = (type: string, { fingerprint }: Submitted) =>
      submit(organizationId, rootKey, type, { fingerprint });
    const open = await ask('Waits');
    assert.equal(open.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    const approved = await ask('Approved');
    const rejected = await ask('Rejected');
    const approval = await vote('ACTIVITY_TYPE_APPROVE_ACTIVITY', approved);
    assert.equal(approval.status, 'ACTIVITY_STATUS_COMPLETED');
    const rejection = await vote('ACTIVITY_TYPE_REJECT_ACTIVITY', rejected);
    assert.equal(rejection.status, 'ACTIVITY_STATUS_REJECTED');
    return { open, approved, rejected };
  }

  /** Creates an application with a deployment in each state. */
  async function deploy(
    organizationId: string,
    make: (type: string, parameters: object) => Promise<Result>,
    key: TestKey,
  ): Promise<Pick<Tenant, 'appId' | 'deploymentIds'>> {
    const { appId } = await make(
      'ACTIVITY_TYPE_CREATE_TVC_APP',
      describedApp({ manifestSetParams: describedSet(['Ada', 'Bob'], 1) }),
    );
    const made = async () =>
      (await make('ACTIVITY_TYPE_CREATE_TVC_DEPLOYMENT', describedDeployment(appId))).deploymentId;
    const deploymentIds = { live: await made(), open: await made(), deleted: await made() };
    const asked = { organizationId, deploymentId: deploymentIds.live };
    const body = Buffer.from(JSON.stringify(asked));
    const { tvcDeployment } = (await service.send('query', 'get_tvc_deployment', body, key)).body;
    const [operator] = tvcDeployment.manifestSet.operators;
    await make('ACTIVITY_TYPE_CREATE_TVC_QUORUM_KEY', {
      threshold: 2,
      operatorEncryptKeys: ['Ada', 'Bob'].map(encryptKey),
    });
    await make('ACTIVITY_TYPE_CREATE_TVC_MANIFEST_APPROVALS', {
      manifestId: tvcDeployment.manifest.id,
      approvals: [
        {
          operatorId: operator.id,
          signature: signAs(operator.name, manifestDigestIn(tvcDeployment)),
        },
      ],
    });
    const { deleted: deploymentId } = deploymentIds;
    await make('ACTIVITY_TYPE_DELETE_TVC_DEPLOYMENT', { deploymentId });
    return { appId, deploymentIds };
  }

  /** Creates a sponsor that paid for one transaction, and whose wallet was frozen afterwards. */
  async function sponsor(
    organizationId: string,
    make: (type: string, parameters: object) => Promise<Result>,
    sender: string,
  ): Promise<void> {
    const { walletId, addresses } = await make('ACTIVITY_TYPE_CREATE_WALLET', {
      walletName: 'Sponsor',
      accounts: [account(onlyPath, 'ADDRESS_FORMAT_SOLANA')],
    });
    await make('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Sponsors',
      effect: 'EFFECT_ALLOW',
      condition: "activity.resource == 'SPONSORSHIP' && activity.action == 'SIGN'",
      notes: '',
    });
    const sponsors = [sponsorOf(addresses[0])];
    await make('ACTIVITY_TYPE_UPSERT_GAS_USAGE_CONFIG', describedGasUsage({ sponsors }));
    const { sendTransactionStatusId } = await make(
      'ACTIVITY_TYPE_SOL_SEND_TRANSACTION_V2',
      describedSolanaSend([sender], { sponsor: true }),
    );
    await advanceSolana(organizationId, sendTransactionStatusId, ['confirmed', 'finalized']);
    await make('ACTIVITY_TYPE_CREATE_FREEZE', {
      type: 'FREEZE_TYPE_WALLET',
      resourceId: walletId,
    });
  }

  async function fill(start: {
    readonly name: string;
    readonly organizationId: string;
    readonly parent: Tenant | undefined;
    readonly rootUserId: string;
  }): Promise<Tenant> {
    const { name, organizationId, parent } = start;
    const keys = keysOf(name);
    const activityIds: string[] = [];
    const make = async (type: string, parameters: object): Promise<Result> => {
      const { id, result } = await submit(organizationId, keys.rootKey, type, parameters);
      activityIds.push(id);
      return result;
    };
    const { endpointId } = await make('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
      url: 'https://receiver.example/',
      name: 'Hook',
      subscriptions: [
        {
          eventType: 'ACTIVITY_UPDATES',
          filtersJson: JSON.stringify({ resources: ['USER', 'PRIVATE_KEY'] }),
        },
      ],
    });
    const users = await make('ACTIVITY_TYPE_CREATE_USERS_V4', {
      users: [
        userOf(`User of ${name}`, [keys.userKey, keys.deletedKey]),
        userOf(`Deleted user of ${name}`, [keys.deletedUserKey]),
      ],
    });
    const [userId, deletedUserId] = users.userIds;
    await make('ACTIVITY_TYPE_INIT_IMPORT_WALLET', { userId: start.rootUserId });
    const targets = await make('ACTIVITY_TYPE_INIT_IMPORT_SECRETS', {
      encryptionSuite,
      numSecrets: 2,
    });
    await make('ACTIVITY_TYPE_IMPORT_SECRETS', {
      secrets: targets.enclaveTargetMessages.map((message: string) =>
        describedSecret(message, `Secret of ${name}`),
      ),
    });
    await make('ACTIVITY_TYPE_CREATE_INVITATIONS', {
      invitations: [
        {
          receiverUserName: 'Guest',
          receiverUserEmail: 'guest@example.com',
          receiverUserTags: [],
          accessType: 'ACCESS_TYPE_WEB',
          senderUserId: start.rootUserId,
        },
      ],
    });
    await make('ACTIVITY_TYPE_CREATE_USER_TAG', {
      userTagName: 'Tag',
      userIds: [userId, deletedUserId],
    });
    const path = sharedPath;
    const wallet = await make('ACTIVITY_TYPE_CREATE_WALLET', {
      walletName: 'Wallet',
      accounts: [
        ethereum(path, `First of ${name}`),
        account(path, 'ADDRESS_FORMAT_TRON'),
        account(onlyPath, 'ADDRESS_FORMAT_SOLANA'),
        ethereum("m/44'/60'/0'/0/1", `Deleted of ${name}`),
      ],
    });
    const other = await make('ACTIVITY_TYPE_CREATE_WALLET', {
      walletName: 'Other wallet',
      accounts: [ethereum(path)],
    });
    const deleted = await make('ACTIVITY_TYPE_CREATE_WALLET', {
      walletName: 'Deleted wallet',
      accounts: [ethereum(path)],
    });
    const made = await make('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: ['Key', 'Deleted key'].map((privateKeyName) => ({
        privateKeyName,
        curve: 'CURVE_SECP256K1',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      })),
    });
    const [privateKey, deletedPrivateKey] = made.privateKeys;
    const { sendTransactionStatusId } = await make(
      'ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2',
      describedSend(privateKey.addresses[0].address),
    );
    await advance(organizationId, sendTransactionStatusId);
    const { sendTransactionStatusId: finalSendId } = await make(
      'ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2',
      describedSend(other.addresses[0]),
    );
    await advance(organizationId, finalSendId, 8);
    const solanaSendIds: string[] = [];
    for (const levels of [['confirmed'], ['confirmed', 'finalized']]) {
      const sent = await make(
        'ACTIVITY_TYPE_SOL_SEND_TRANSACTION_V2',
        describedSolanaSend([wallet.addresses[2]]),
      );
      solanaSendIds.push(sent.sendTransactionStatusId);
      await advanceSolana(organizationId, sent.sendTransactionStatusId, levels);
    }
    if (name === 'first') await sponsor(organizationId, make, wallet.addresses[2]);
    await make('ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', {
      privateKeyTagName: 'Key tag',
      privateKeyIds: [privateKey.privateKeyId, deletedPrivateKey.privateKeyId],
    });
    await make('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', signing(wallet.addresses[3]));
    await tellOfMails(organizationId);
    await makePolicies(make, userId);
    const signedBy = async (signWith: string) => {
      const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
      return (await submit(organizationId, keys.userKey, type, signing(signWith))).status;
    };
    assert.equal(await signedBy(other.addresses[0]), 'ACTIVITY_STATUS_COMPLETED');
    await assert.rejects(
      signedBy(wallet.addresses[0]),
      /OUTCOME_DENY_EXPLICIT|not permitted|permission/i,
    );
    const votedOn = await takeVotes(organizationId, name);
    const hasAccess = name === 'first' || name === 'alpha';
    const access = !hasAccess
      ? undefined
      : await grantAccess({
          name,
          userId,
          userKey: keys.userKey,
          now: clock,
          parentProfileId: parent?.access?.sessionProfileId,
          make: async (type, parameters, key = keys.rootKey, more = {}) =>
            (await submit(organizationId, key, type, parameters, more)).result,
        });

    const listed = await service.send(
      'query',
      'list_wallet_accounts',
      Buffer.from(JSON.stringify({ organizationId, walletId: wallet.walletId })),
      keys.rootKey,
    );
    const deletedAccountId = listed.body.accounts[3].walletAccountId;
    const heldKeys = await service.send(
      'query',
      'get_api_keys',
      Buffer.from(JSON.stringify({ organizationId, userId })),
      keys.rootKey,
    );
    const [apiKeyId, deletedApiKeyId] = heldKeys.body.apiKeys.map(
      (held: { readonly apiKeyId: string }) => held.apiKeyId,
    );
    const deployed = await deploy(organizationId, make, keys.rootKey);
    const deleteWithoutExport = true;
    await make('ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS', {
      walletAccountIds: [deletedAccountId],
      deleteWithoutExport,
    });
    await make('ACTIVITY_TYPE_DELETE_WALLETS', {
      walletIds: [deleted.walletId],
      deleteWithoutExport,
    });
    await make('ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', {
      privateKeyIds: [deletedPrivateKey.privateKeyId],
      deleteWithoutExport,
    });
    await make('ACTIVITY_TYPE_DELETE_USERS', { userIds: [deletedUserId] });
    await make('ACTIVITY_TYPE_DELETE_API_KEYS', {
      userId,
      apiKeyIds: [deletedApiKeyId],
    });
    // Changes only the head of the organization, so an earlier state differs in nothing else.
    await make('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName: `Renamed ${name}` });
    return {
      ...start,
      ...keys,
      userId,
      deletedUserId,
      walletId: wallet.walletId,
      otherWalletId: other.walletId,
      deletedWalletId: deleted.walletId,
      addresses: wallet.addresses.slice(0, 3),
      otherAddress: other.addresses[0],
      deletedAddress: wallet.addresses[3],
      deletedAccountId,
      addressOfDeletedWallet: deleted.addresses[0],
      privateKeyId: privateKey.privateKeyId,
      sendTransactionStatusId,
      finalSendId,
      solanaSendIds,
      privateKeyAddress: privateKey.addresses[0].address,
      deletedPrivateKeyId: deletedPrivateKey.privateKeyId,
      deletedPrivateKeyAddress: deletedPrivateKey.addresses[0].address,
      apiKeyId,
      deletedApiKeyId,
      ...deployed,
      access,
      endpointId,
      activityIds,
      votedOn,
    };
  }

  /**
   * Reports blocks with transactions of each tenant: one that it sent, in a final block, and one in a later
   * block.
   */
  async function watch(tenants: readonly Tenant[]): Promise<void> {
    const chain = watchedChain(service);
    const hashes = await Promise.all(
      tenants.map(async ({ organizationId, finalSendId: sendTransactionStatusId, rootKey }) => {
        const body = queryBody(organizationId, { sendTransactionStatusId });
        const told = await service.send('query', 'get_send_transaction_status', body, rootKey);
        return String(told.body.eth.txHash);
      }),
    );
    const blockOf = (hashOf: (i: number) => string) => ({
      transactions: tenants.map((_, i) => transaction(hashOf(i))),
      transfers: tenants.map(({ addresses: [address = ''] }, i) =>
        transfer(hashOf(i), { address: address.toLowerCase() }),
      ),
    });
    await chain.begin();
    const block = await chain.confirm(
      'b2',
      blockOf((i) => hashes[i] ?? ''),
    );
    history.push(await tables.read());
    await chain.confirm(
      'b3',
      blockOf((i) => `0x${String(i).padStart(64, '0')}`),
    );
    history.push(await tables.read());
    await chain.finalize(block);
    history.push(await tables.read());
  }

  const sharedKey = testKey('shared');
  async function child(parent: Tenant, name: string, held: readonly TestKey[] = []) {
    const { result } = await submit(
      parent.organizationId,
      parent.rootKey,
      'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
      {
        subOrganizationName: `Child ${name}`,
        rootQuorumThreshold: 1,
        rootUsers: [userOf(`Root of ${name}`, [keysOf(name).rootKey, ...held], false)],
      },
    );
    const [rootUserId] = result.rootUserIds;
    return { name, organizationId: result.subOrganizationId, rootUserId, parent };
  }

  const { organizationId, userId: rootUserId } = bootstrapped;
  const first = await fill({ name: 'first', organizationId, rootUserId, parent: undefined });
  now += 2 * 3_600_000;
  const oldBodies = sent;
  sent = [];
  const alpha = await fill(await child(first, 'alpha', [sharedKey]));
  const beta = await fill(await child(first, 'beta', [sharedKey]));
  const gone = await child(first, 'gone');
  const goneKey = keysOf('gone').rootKey;
  await submit(gone.organizationId, goneKey, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Wallet',
    accounts: [takenAccount],
  });
  await submit(gone.organizationId, goneKey, 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION', {
    deleteWithoutExport: true,
  });
  const second = await fill(await foundParent(store, clock, organizationId));
  const nephew = await fill(await child(second, 'nephew'));
  const tenants = [first, alpha, beta, second, nephew];
  await watch(tenants);
  return {
    tenants,
    deletedChild: { organizationId: gone.organizationId, key: goneKey },
    sharedKey,
    youngBodies: sent,
    oldBodies,
    history,
    tables: await tables.read(),
    nowMs: now + 1000,
  };
}

/** Returns the parameters of a signature over a digest. */
export function signing(signWith: string, payload = 'aa'.repeat(32)): object {
  const hashFunction = 'HASH_FUNCTION_NO_OP';
  return { signWith, payload, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction };
}

export function keysOf(name: string) {
  return {
    rootKey: testKey(`root of ${name}`),
    userKey: testKey(`user of ${name}`),
    deletedKey: testKey(`deleted key of ${name}`),
    deletedUserKey: testKey(`deleted user of ${name}`),
  };
}

function userOf(userName: string, keys: readonly TestKey[], hasTags = true): object {
  return {
    userName,
    apiKeys: keys.map(({ publicKey }, i) => ({
      apiKeyName: `Key ${i}`,
      publicKey,
      curveType: 'API_KEY_CURVE_P256',
    })),
    authenticators: [],
    oauthProviders: [],
    ...(hasTags ? { userTags: [] } : {}),
  };
}

/**
 * Creates a second parent through another repository with the same keys, because no operation creates one.
 */
async function foundParent(store: StorePort, clock: () => number, besideId: string) {
  const keys = createRootKeys(testRootKey());
  const random = seededRandom('second parent');
  const codec = createRecordCodec(createSealing('seal', keys, random));
  const repository = createRepository({ store, codec, keys });
  const newId = createIdSource({ clock, random });
  const { state } = await repository.organization(besideId);
  assert(state !== undefined);
  const name = 'second';
  const organizationId = newId();
  const rootUserId = newId();
  const times = { createdAtMs: clock(), updatedAtMs: clock() };
  const head = {
    name: 'Second parent',
    rootQuorum: { threshold: 1, userIds: [rootUserId] },
    features: [],
    ...times,
  };
  const records = emptySmallState();
  const draft = createDraft({
    id: organizationId,
    parentId: undefined,
    version: 0,
    guard: 0,
    head,
    records,
  });
  draft.put('user', { id: rootUserId, name: 'Root of second', tagIds: [], ...times });
  draft.put('api_key', {
    id: newId(),
    userId: rootUserId,
    name: 'Root key',
    publicKey: keysOf(name).rootKey.publicKey,
    type: 'CREDENTIAL_TYPE_API_KEY_P256',
    ...times,
  });
  const created = { id: organizationId, parentId: undefined, head, changes: draft.changes() };
  const made = { id: newId(), digest: random(32), atMs: times.createdAtMs };
  const outcome = await repository.commit(proposalOn(state, made, { children: [created] }));
  assert.equal(outcome, 'committed');
  return { name, organizationId, rootUserId, parent: undefined };
}
