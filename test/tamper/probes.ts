// The probes: requests to a service after an attack, and the answers with which theirs may be compared.

import { utf8 } from '../../src/core/base/bytes.ts';
import { keyAgreement } from '../../src/core/crypto/key_agreement.ts';
import { cursorId } from '../../src/enclave/records/chain_cursor.ts';
import { queryOperations } from '../../src/operations/index.ts';
import { activityBody, queryBody } from '../enclave/service_over.ts';
import { describedSend, sendChain, sendType } from '../operations/sending/send_requests.ts';
import { clientKey, sealedTo } from '../operations/wallets/transfer_requests.ts';
import { stampOf, type TestKey } from '../support/harness.ts';
import {
  mailedAddresses,
  newAccount,
  onlyPath,
  type SentBody,
  sharedPath,
  signing,
  type Tenant,
  takenAccount,
  type World,
} from './world.ts';

export type Probe = {
  readonly name: string;
  /**
   * The organizations that the answer depends on. The probe is sent if the attack changed one of them, or
   * changed none at all.
   */
  readonly organizationIds: readonly string[];
  readonly kind: 'submit' | 'query';
  readonly operation: string;
  readonly body: Uint8Array;
  readonly stamp: { readonly name: string; readonly value: string };
  /** Probes whose untampered answers are also permitted if rows are withheld. */
  readonly alternatives?: readonly string[];
  /**
   * A member whose items may be withheld: all its items must be in the same member of the probe `whole`.
   */
  readonly list?: { readonly member: string; readonly whole: string };
  /**
   * An account of this path from the list of the probe `whole`. Of several accounts, the first may be
   * withheld.
   */
  readonly accountOf?: { readonly path: string; readonly whole: string };
  /**
   * The address of an existing account. Only a look-up distinguishes the accounts of a wallet, so if it is
   * withheld, the same account can be created again.
   */
  readonly makesAgain?: string;
  /**
   * True if it names a used nonce. If the record of its use is withheld, the transaction can be signed, and
   * then fails on the chain.
   */
  readonly namesUsedNonce?: true;
  /** True for a body that was sent before. It may act again if its activity was deleted. */
  readonly isRepetition?: true;
  /** The name of a write; the probe is sent before and after it. */
  readonly shows?: string;
};

/** The probes in their order. */
export type Probes = {
  readonly reads: readonly Probe[];
  readonly signatures: readonly Probe[];
  readonly repetitions: readonly Probe[];
  readonly writes: readonly Probe[];
  /** Probes of the things that the writes change, sent before and after them. */
  readonly shown: readonly Probe[];
};

/** The maximum number of young and of old bodies of each tenant. */
const maximumRepetitions = 8;

export function probesOf(world: World): Probes {
  let serial = 0;
  const submit = (
    name: string,
    tenant: Tenant,
    type: string,
    parameters: object,
    key: TestKey = tenant.rootKey,
  ): Probe => {
    serial += 1;
    const [, operation = ''] = /^ACTIVITY_TYPE_(.*?)(?:_V\d)?$/.exec(type) ?? [];
    const body = activityBody(type, tenant.organizationId, parameters, world.nowMs + serial);
    return probe({ name, tenant, kind: 'submit', operation: operation.toLowerCase(), body, key });
  };
  const each = (make: (tenant: Tenant) => readonly Probe[]) => world.tenants.flatMap(make);
  const writes = each((tenant) => writesOf(tenant, submit));
  return {
    reads: [...each((tenant) => readsOf(tenant, world)), ...readsOfAll(world)],
    signatures: each((tenant) => signaturesOf(tenant, world, submit)),
    repetitions: [...repeated(world, world.youngBodies), ...repeated(world, world.oldBodies)],
    writes,
    shown: each((tenant) => shownOf(tenant)),
  };
}

type Submit = (
  name: string,
  tenant: Tenant,
  type: string,
  parameters: object,
  key?: TestKey,
) => Probe;

function probe(of: {
  readonly name: string;
  readonly tenant: Tenant;
  readonly kind: Probe['kind'];
  readonly operation: string;
  readonly body: Uint8Array;
  readonly key: TestKey;
}): Probe {
  const { name, tenant, key, ...asked } = of;
  const parentId = tenant.parent?.organizationId;
  return {
    ...asked,
    name: `${tenant.name}: ${name}`,
    organizationIds: [tenant.organizationId, ...(parentId === undefined ? [] : [parentId])],
    stamp: stampOf(asked.body, key),
  };
}

function query(
  name: string,
  tenant: Tenant,
  operation: string,
  parameters: object = {},
  key = tenant.rootKey,
): Probe {
  const body = queryBody(tenant.organizationId, parameters);
  return probe({ name, tenant, kind: 'query', operation, body, key });
}

const historyOf = ({ addresses: [address = ''] }: Tenant) => ({ address, caip2: sendChain });
const watchedChainId = cursorId({ caip2: sendChain, fromBlock: undefined });

const wholePage = { paginationOptions: { limit: '100' } };
const page = { paginationOptions: { limit: '2' } };

function readsOf(tenant: Tenant, { tenants }: World): readonly Probe[] {
  const { name, walletId } = tenant;
  const of = (what: string) => `${name}: ${what}`;
  const ask = (operation: string, what = operation, parameters: object = {}) =>
    query(what, tenant, operation, parameters);
  const asked = [
    ...[tenant.userId, tenant.deletedUserId].flatMap((userId, i) =>
      ['get_user', 'get_authenticators', 'get_oauth_providers', 'get_api_keys'].map((operation) =>
        ask(operation, `${operation} ${i}`, { userId }),
      ),
    ),
    ...[tenant.apiKeyId, tenant.deletedApiKeyId].map((apiKeyId, i) =>
      ask('get_api_key', `get_api_key ${i}`, { apiKeyId }),
    ),
    ...[walletId, tenant.otherWalletId, tenant.deletedWalletId].map((id, i) =>
      ask('get_wallet', `get_wallet ${i}`, { walletId: id }),
    ),
    ...[...tenant.addresses, tenant.deletedAddress, tenant.otherAddress].map((address, i) =>
      ask('get_wallet_account', `get_wallet_account ${i}`, { walletId, address }),
    ),
    ask('get_wallet_account', 'get_wallet_account by the path of one', {
      walletId,
      path: onlyPath,
    }),
    {
      ...ask('get_wallet_account', 'get_wallet_account by path', { walletId, path: sharedPath }),
      accountOf: { path: sharedPath, whole: of('accounts of the wallet') },
    },
    ...listed('accounts', of('a page of accounts'), of('all accounts'), [
      ask('list_wallet_accounts', 'all accounts', wholePage),
      ask('list_wallet_accounts', 'a page of accounts', page),
      ask('list_wallet_accounts', 'accounts of the wallet', { walletId, ...wholePage }),
      ask('list_wallet_accounts', 'accounts of the deleted wallet', {
        walletId: tenant.deletedWalletId,
      }),
    ]),
    ...[tenant.sendTransactionStatusId, tenant.finalSendId, ...tenant.solanaSendIds].map(
      (sendTransactionStatusId, i) =>
        ask('get_send_transaction_status', `get_send_transaction_status ${i}`, {
          sendTransactionStatusId,
        }),
    ),
    ...listed('transactions', of('a page of history'), of('all history'), [
      ask('list_eth_transaction_history', 'all history', { ...historyOf(tenant), ...wholePage }),
      ask('list_eth_transaction_history', 'a page of history', {
        ...historyOf(tenant),
        paginationOptions: { limit: '1' },
      }),
    ]).map((each) => ({ ...each, organizationIds: [...each.organizationIds, watchedChainId] })),
    ask('get_tvc_app', 'get_tvc_app', { tvcAppId: tenant.appId }),
    ...['list_tvc_app_deployments', 'get_app_status'].map((operation) =>
      ask(operation, operation, { appId: tenant.appId }),
    ),
    ...Object.entries(tenant.deploymentIds).map(([state, deploymentId]) =>
      ask('get_tvc_deployment', `get_tvc_deployment of the one ${state}`, { deploymentId }),
    ),
    ...[tenant.privateKeyId, tenant.deletedPrivateKeyId].map((privateKeyId, i) =>
      ask('get_private_key', `get_private_key ${i}`, { privateKeyId }),
    ),
    ...listed('activities', of('a page of activities'), of('all activities'), [
      ask('list_activities', 'all activities', wholePage),
      ask('list_activities', 'a page of activities', page),
      ask('list_activities', 'activities of a type', {
        filterByType: ['ACTIVITY_TYPE_CREATE_WALLET'],
        ...wholePage,
      }),
      ask('list_activities', 'activities of a status', {
        filterByStatus: ['ACTIVITY_STATUS_COMPLETED'],
        ...wholePage,
      }),
      ask('list_activities', 'activities that failed', {
        filterByStatus: ['ACTIVITY_STATUS_FAILED'],
      }),
    ]),
    ...listed('deliveries', of('a page of deliveries'), of('all deliveries'), [
      ask('list_webhook_deliveries', 'all deliveries', {
        endpointId: tenant.endpointId,
        limit: '100',
        withBodies: true,
      }),
      ask('list_webhook_deliveries', 'a page of deliveries', {
        endpointId: tenant.endpointId,
        limit: '2',
        withBodies: true,
      }),
    ]),
    ...listed('emailEvents', of('a page of mails'), of('mails to 0'), [
      ...mailedAddresses.map((email, i) =>
        ask('list_email_events', `mails to ${i}`, { email, ...wholePage }),
      ),
      ask('list_email_events', 'a page of mails', { email: mailedAddresses[0], ...page }),
      ask('list_email_events', 'mails that came back', {
        email: mailedAddresses[0].toUpperCase(),
        eventType: 'Bounce',
      }),
    ]),
    ...readsOfAccess(tenant).map(([operation, parameters]) =>
      ask(operation, operation, parameters),
    ),
    ...tenant.activityIds
      .slice(-4)
      .map((activityId, i) => ask('get_activity', `get_activity ${i}`, { activityId })),
    ...Object.entries(tenant.votedOn).flatMap(([state, { id: activityId }]) =>
      ['get_activity', 'get_policy_evaluations', 'explain_activity'].map((operation) =>
        ask(operation, `${operation} of the one ${state}`, { activityId }),
      ),
    ),
    ...listed('organizationIds', of('a page of children'), of('all children'), [
      ask('list_suborgs', 'all children', wholePage),
      ask('list_suborgs', 'a page of children', page),
      ask('list_verified_suborgs', 'verified children', wholePage),
      ...tenants
        .filter(({ parent }) => parent === tenant)
        .flatMap((child) =>
          filteredChildren(child).map(([what, filter]) =>
            ask('list_suborgs', `children by ${what} of ${child.name}`, filter),
          ),
        ),
    ]),
    ...[tenant.userKey, tenant.deletedKey, tenant.deletedUserKey].map((key, i) =>
      query(`whoami by key ${i}`, tenant, 'whoami', {}, key),
    ),
  ];
  const isAsked = new Set(asked.map(({ operation }) => operation));
  // The remaining operations take no parameters. Operations of later versions are included.
  const others = Object.keys(queryOperations).filter((operation) => !isAsked.has(operation));
  return [...asked, ask('whoami'), ask('get_api_keys'), ...others.map((name) => ask(name))];
}

function readsOfAccess({
  userId,
  access,
  votedOn,
}: Tenant): readonly (readonly [string, object])[] {
  if (access === undefined) return [];
  const { authenticatorId, oauth2CredentialId, mfaPolicyId, sessionProfileId } = access;
  return [
    ['get_authenticator', { authenticatorId }],
    ['get_oauth2_credential', { oauth2CredentialId }],
    ['get_smart_contract_interface', { smartContractInterfaceId: access.contractInterfaceId }],
    ['get_mfa_policy', { userId, mfaPolicyId }],
    ['get_mfa_policies', { userId }],
    ['get_mfa_status', { activityId: votedOn.open.id }],
    ['simulate_policies', { changes: [], limit: '100' }],
    ['get_session_profile', { sessionProfileId }],
    ['get_ip_allowlist', { publicKey: (access.shutOutKey ?? access.scopedKey).publicKey }],
  ];
}

const filteredChildren = (child: Tenant): readonly (readonly [string, object])[] => [
  ['name', { filterType: 'NAME', filterValue: `Renamed ${child.name}` }],
  ['old name', { filterType: 'NAME', filterValue: `Child ${child.name}` }],
  ['user', { filterType: 'USERNAME', filterValue: `User of ${child.name}` }],
  ['deleted user', { filterType: 'USERNAME', filterValue: `Deleted user of ${child.name}` }],
  ['key', { filterType: 'PUBLIC_KEY', filterValue: child.userKey.publicKey }],
  ['deleted key', { filterType: 'PUBLIC_KEY', filterValue: child.deletedKey.publicKey }],
  ['address', { filterType: 'WALLET_ACCOUNT_ADDRESS', filterValue: child.otherAddress }],
  ['deleted address', { filterType: 'WALLET_ACCOUNT_ADDRESS', filterValue: child.deletedAddress }],
];

/** Marks each list whose items may be withheld. A page may instead show further items of its whole list. */
function listed(
  member: string,
  page: string,
  whole: string,
  probes: readonly Probe[],
): readonly Probe[] {
  return probes.map((asked) => ({
    ...asked,
    list: { member, whole: asked.name === page ? whole : asked.name },
  }));
}

/** Probes across organizations: some must succeed, and others must be refused. */
function readsOfAll({ tenants, deletedChild, sharedKey }: World): readonly Probe[] {
  const first = tenants.filter(({ parent }) => parent === undefined);
  return tenants.flatMap((tenant) => {
    const { parent, name } = tenant;
    const strangers = tenants.filter(
      (other) => other.name !== name && other !== parent && other.parent !== tenant,
    );
    const byStrangers = strangers.map((other) =>
      query(`list_users by ${other.name}`, tenant, 'list_users', {}, other.rootKey),
    );
    if (parent === undefined) return byStrangers;
    return [
      ...byStrangers,
      query('list_users by its parent', tenant, 'list_users', {}, parent.rootKey),
      query('list_wallets by its parent', tenant, 'list_wallets', {}, parent.rootKey),
      query(`whoami of ${name} below it`, parent, 'whoami', {}, tenant.userKey),
      query(`whoami of a deleted key of ${name} below it`, parent, 'whoami', {}, tenant.deletedKey),
      ...(first.indexOf(parent) === 0
        ? [
            query('whoami by the shared key', tenant, 'whoami', {}, sharedKey),
            {
              ...query(
                `whoami by the shared key below it, ${name}`,
                parent,
                'whoami',
                {},
                sharedKey,
              ),
              // Of two children with a common key, one may be withheld.
              alternatives: ['alpha: whoami by the shared key', 'beta: whoami by the shared key'],
            },
            query(
              `whoami in the deleted child, ${name}`,
              { ...parent, organizationId: deletedChild.organizationId },
              'whoami',
              {},
              deletedChild.key,
            ),
          ]
        : []),
    ];
  });
}

function signaturesOf(tenant: Tenant, { tenants }: World, submit: Submit): readonly Probe[] {
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
  const [address = ''] = tenant.addresses;
  const by = (who: string, key: TestKey) =>
    submit(`signature by ${who}`, tenant, type, signing(address), key);
  const others = tenants.filter((other) => other !== tenant);
  return [
    ...[
      ...tenant.addresses,
      tenant.otherAddress,
      tenant.privateKeyId,
      tenant.privateKeyAddress,
      tenant.deletedAddress,
      tenant.addressOfDeletedWallet,
      tenant.deletedPrivateKeyId,
      tenant.deletedPrivateKeyAddress,
    ].map((signWith, i) => submit(`signature ${i}`, tenant, type, signing(signWith))),
    submit(
      'signature with an address of others',
      tenant,
      type,
      signing(others[0]?.otherAddress ?? ''),
    ),
    submit('two signatures', tenant, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
      signWith: tenant.privateKeyAddress,
      payloads: ['bb'.repeat(32), 'cc'.repeat(32)],
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    }),
    ...sendsOf(tenant, submit),
    by('a plain user', tenant.userKey),
    // The payloads that the user of these keys may sign.
    ...(
      [
        ['a session that may do nothing', tenant.access?.scopedKey],
        ['a key that is shut out', tenant.access?.shutOutKey],
      ] as const
    ).flatMap(([who, key]) =>
      key === undefined
        ? []
        : [submit(`signature by ${who}`, tenant, type, signing(tenant.otherAddress), key)],
    ),
    submit(
      'signature by a plain user as a policy allows',
      tenant,
      type,
      signing(tenant.otherAddress),
      tenant.userKey,
    ),
    by('a deleted key', tenant.deletedKey),
    by('a deleted user', tenant.deletedUserKey),
    ...others.slice(0, 2).map((other) => by(other.name, other.rootKey)),
  ];
}

/** Transactions that must not be signed: with a taken nonce at lower fees, and with a used nonce. */
function sendsOf(tenant: Tenant, submit: Submit): readonly Probe[] {
  const send = (name: string, from: string) => {
    const fees = { maxFeePerGas: '10', maxPriorityFeePerGas: '1' };
    const parameters = describedSend(from, { nonce: '0', ...fees });
    return submit(name, tenant, sendType, parameters);
  };
  return [
    send('replace for less what is under way', tenant.privateKeyAddress),
    { ...send('send with a used nonce', tenant.otherAddress), namesUsedNonce: true },
  ];
}

const writeNames = {
  restoring: 'restore a deployment',
  user: 'rename the user',
  wallet: 'rename the wallet',
  account: 'make an account',
  deletion: 'delete an account',
};

function writesOf(tenant: Tenant, submit: Submit): readonly Probe[] {
  const { walletId, userId, otherWalletId, deploymentIds: deployments } = tenant;
  const rename = { userId, userName: 'New name of the user' };
  const { open, approved, rejected } = tenant.votedOn;
  const { usedLogin, openOtpId } = tenant.access ?? {};
  const vote = (how: string, type: string, { fingerprint }: { readonly fingerprint: string }) =>
    write(how, `${type}_ACTIVITY`, { fingerprint });
  const write = (name: string, type: string, parameters: object, key?: TestKey) =>
    submit(name, tenant, `ACTIVITY_TYPE_${type}`, parameters, key);
  return [
    vote('approve what was rejected', 'APPROVE', rejected),
    vote('reject what was approved', 'REJECT', approved),
    vote('approve what waits', 'APPROVE', open),
    // An activity shows the user's name at its time, and the name changes afterwards.
    write('rename the user by a plain user', 'UPDATE_USER_NAME', rename, tenant.userKey),
    write(writeNames.user, 'UPDATE_USER_NAME', rename),
    write('rename the user by a deleted key', 'UPDATE_USER_NAME', rename, tenant.deletedKey),
    write('rename a deleted user', 'UPDATE_USER_NAME', { ...rename, userId: tenant.deletedUserId }),
    write(writeNames.wallet, 'UPDATE_WALLET', { walletId, walletName: 'New name of the wallet' }),
    write(writeNames.account, 'CREATE_WALLET_ACCOUNTS', { walletId, accounts: [newAccount] }),
    {
      ...write('make an account that is there', 'CREATE_WALLET_ACCOUNTS', {
        walletId: otherWalletId,
        accounts: [takenAccount],
      }),
      makesAgain: tenant.otherAddress,
    },
    write(writeNames.restoring, 'RESTORE_TVC_DEPLOYMENT', { deploymentId: deployments.deleted }),
    write('restore what is not deleted', 'RESTORE_TVC_DEPLOYMENT', {
      deploymentId: deployments.open,
    }),
    write('delete what is live', 'DELETE_TVC_DEPLOYMENT', { deploymentId: deployments.live }),
    write('say that what nobody approved runs', 'SET_TVC_DEPLOYMENT_STATUS', {
      deploymentId: deployments.open,
      readyReplicas: 1,
    }),
    ...(tenant.access === undefined
      ? []
      : [
          write(
            'sign without the second factor',
            'SIGN_RAW_PAYLOADS',
            {
              signWith: tenant.otherAddress,
              payloads: ['dd'.repeat(32)],
              encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
              hashFunction: 'HASH_FUNCTION_NO_OP',
            },
            tenant.userKey,
          ),
        ]),
    ...(usedLogin === undefined
      ? []
      : [
          write('log in with what was used', 'OTP_LOGIN_V2', {
            ...usedLogin,
            expirationSeconds: '60',
          }),
        ]),
    ...(openOtpId === undefined
      ? []
      : [write('try a code', 'VERIFY_OTP_V2', { otpId: openOtpId, encryptedOtpBundle: noBundle })]),
    write('delete a deleted account', 'DELETE_WALLET_ACCOUNTS', {
      walletAccountIds: [tenant.deletedAccountId],
      deleteWithoutExport: true,
    }),
    write('make a tag', 'CREATE_USER_TAG', { userTagName: 'New tag', userIds: [userId] }),
    write('make a tag that is there', 'CREATE_USER_TAG', { userTagName: 'Tag', userIds: [] }),
    write('make a child', 'CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: 'New child',
      rootQuorumThreshold: 1,
      rootUsers: [
        { userName: 'Nobody', apiKeys: [newKey(tenant)], authenticators: [], oauthProviders: [] },
      ],
    }),
    write(writeNames.deletion, 'DELETE_WALLETS', {
      walletIds: [otherWalletId],
      deleteWithoutExport: true,
    }),
  ];
}

/** Nobody has the private key of this bundle. */
const noBundle = sealedTo(keyAgreement(clientKey).publicKey, utf8('{}'));

const newKey = ({ deletedKey: { publicKey } }: Tenant) => ({
  apiKeyName: 'Key',
  publicKey,
  curveType: 'API_KEY_CURVE_P256',
});

function shownOf(tenant: Tenant): readonly Probe[] {
  const { walletId, otherWalletId, name } = tenant;
  const show = (write: string, operation: string, parameters: object): Probe => ({
    ...query(`what it is to ${write}`, tenant, operation, parameters),
    shows: `${name}: ${write}`,
  });
  return [
    show(writeNames.user, 'get_user', { userId: tenant.userId }),
    show(writeNames.wallet, 'get_wallet', { walletId }),
    show(writeNames.account, 'get_wallet_account', { walletId, path: newAccount.path }),
    show(writeNames.deletion, 'get_wallet', { walletId: otherWalletId }),
    show(writeNames.restoring, 'get_tvc_deployment', {
      deploymentId: tenant.deploymentIds.deleted,
    }),
  ];
}

/** Returns probes that repeat the last bodies of each tenant. */
function repeated({ tenants }: World, sent: readonly SentBody[]): readonly Probe[] {
  return tenants.flatMap((tenant) => {
    const { organizationId } = tenant;
    const mark = utf8(`"organizationId":"${organizationId}"`);
    return sent
      .filter(({ body }) => Buffer.from(body).includes(mark))
      .slice(-maximumRepetitions)
      .map(({ operation, body, key }, i) => ({
        ...probe({
          name: `repeated ${operation} ${i}`,
          tenant,
          kind: 'submit',
          operation,
          body,
          key,
        }),
        isRepetition: true as const,
      }));
  });
}
