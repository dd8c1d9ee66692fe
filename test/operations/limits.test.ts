// The limits of an organization, written down by hand: the given number is accepted and one more is
// refused, in a parent and in a child.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limits } from '../../src/core/organization/limits.ts';
import type { OrganizationDraft } from '../../src/core/organization/state.ts';
import {
  type Sender,
  startTestService,
  type TestAnswer,
  type TestService,
  testKey,
} from '../support/harness.ts';
import type { TestIssuer } from '../support/identity_provider.ts';
import { describedLabel } from './address_book/address_label_requests.ts';
import { describedPasskey } from './authenticators/authenticator_requests.ts';
import { describedCredential, sealedSecret } from './oauth/oauth_requests.ts';
import { byToken, knownIssuer, sendProviders } from './oauth_providers/oauth_provider_requests.ts';
import { addChild, changeOrganization } from './other_callers.ts';
import { describedContract } from './smart_contract_interfaces/smart_contract_interface_requests.ts';
import { describedKey, describedUser, makeUser, sendUsers } from './users/user_requests.ts';
import { describedControl } from './velocity_controls/velocity_control_requests.ts';
import { describedEndpoint } from './webhooks/webhook_requests.ts';

type Sent = (asker: Asker, name: string) => Promise<TestAnswer>;
type Asker = {
  readonly service: TestService;
  readonly as: Required<Sender>;
  /** The user whose credentials are counted. */
  readonly userId: string;
};

type Row = {
  readonly what: keyof typeof limits;
  readonly parent: number;
  readonly child: number;
  /** The kind of the counted rows, and the difference between copies of a row. */
  readonly kind: Parameters<OrganizationDraft['list']>[0];
  readonly copy?: (i: number) => object;
  /** Requests one more. */
  readonly more: Sent;
};

const submit =
  (operation: string, type: string, parameters: (name: string, userId: string) => object): Sent =>
  ({ service, as, userId }, name) =>
    service.submit(operation, `ACTIVITY_TYPE_${type}`, parameters(name, userId), as);

const rows: readonly Row[] = [
  {
    what: 'wallets',
    parent: 100,
    child: 100,
    kind: 'wallet',
    more: submit('create_wallet', 'CREATE_WALLET', (walletName) => ({ walletName, accounts: [] })),
  },
  {
    what: 'privateKeys',
    parent: 1000,
    child: 1000,
    kind: 'private_key',
    more: submit('create_private_keys', 'CREATE_PRIVATE_KEYS_V2', (privateKeyName) => ({
      privateKeys: [
        { privateKeyName, curve: 'CURVE_ED25519', privateKeyTags: [], addressFormats: [] },
      ],
    })),
  },
  {
    what: 'policies',
    parent: 100,
    child: 100,
    kind: 'policy',
    more: submit('create_policy', 'CREATE_POLICY_V3', (policyName) => ({
      policyName,
      effect: 'EFFECT_ALLOW',
      condition: 'false',
      notes: '',
    })),
  },
  {
    what: 'tags',
    parent: 100,
    child: 10,
    kind: 'tag',
    more: submit('create_user_tag', 'CREATE_USER_TAG', (userTagName) => ({
      userTagName,
      userIds: [],
    })),
  },
  {
    what: 'velocityControls',
    parent: 20,
    child: 20,
    kind: 'velocity_control',
    copy: (i) => ({ identifier: `copy_${i}` }),
    more: submit('create_velocity_control', 'CREATE_VELOCITY_CONTROL', (name) =>
      describedControl({ name, identifier: name.replaceAll(' ', '_') }),
    ),
  },
  {
    what: 'addressLabels',
    parent: 100,
    child: 100,
    kind: 'address_label',
    copy: (i) => ({ label: `copy_${i}`, addresses: [] }),
    more: submit('create_address_label', 'CREATE_ADDRESS_LABEL', (name) =>
      describedLabel({ label: name.replaceAll(' ', '_'), addresses: [] }),
    ),
  },
  {
    what: 'contractInterfaces',
    parent: 100,
    child: 100,
    kind: 'contract_interface',
    copy: (i) => ({ address: `0x${String(i).padStart(40, '0')}` }),
    more: submit('create_smart_contract_interface', 'CREATE_SMART_CONTRACT_INTERFACE', (label) => ({
      ...describedContract({ label, smartContractAddress: addressOf(label) }),
    })),
  },
  {
    what: 'webhookEndpoints',
    parent: 10,
    child: 10,
    kind: 'webhook_endpoint',
    more: submit('create_webhook_endpoint', 'CREATE_WEBHOOK_ENDPOINT', (name) =>
      describedEndpoint({ name }),
    ),
  },
  {
    what: 'oauth2Credentials',
    parent: 100,
    child: 10,
    kind: 'oauth2_credential',
    copy: (i) => ({ clientId: `copy ${i}` }),
    more: async ({ service, as }, clientId) => {
      // Organizations cannot share an envelope.
      const encryptedClientSecret = await sealedSecret('secret');
      const described = describedCredential({ clientId, encryptedClientSecret });
      const type = 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL';
      return service.submit('create_oauth2_credential', type, described, as);
    },
  },
  {
    what: 'longLivedApiKeys',
    parent: 10,
    child: 10,
    kind: 'api_key',
    copy: (i) => ({ publicKey: testKey(`copy ${i}`).publicKey }),
    more: submit('create_api_keys', 'CREATE_API_KEYS_V2', (name, userId) => ({
      userId,
      apiKeys: [describedKey(name)],
    })),
  },
  {
    what: 'authenticators',
    parent: 10,
    child: 10,
    kind: 'authenticator',
    copy: (i) => ({ credentialId: `copy${i}` }),
    more: submit('create_authenticators', 'CREATE_AUTHENTICATORS_V2', (name, userId) => ({
      userId,
      authenticators: [describedPasskey(name)],
    })),
  },
  {
    what: 'oauthProviders',
    parent: 10,
    child: 10,
    kind: 'oauth_provider',
    copy: (i) => ({ subject: `copy ${i}` }),
    more: ({ service, as, userId }, name) =>
      sendProviders(service, userId, [byToken(service, issuer, name)], as),
  },
  {
    what: 'mfaPolicies',
    parent: 10,
    child: 10,
    kind: 'mfa_policy',
    copy: (i) => ({ order: i + 100 }),
    more: submit('create_mfa_policy', 'CREATE_MFA_POLICY', (mfaPolicyName, userId) => ({
      userId,
      mfaPolicyName,
      condition: 'false',
      order: mfaPolicyName.length,
      requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] }],
    })),
  },
  // This row is last, since the other rows create a user each.
  {
    what: 'users',
    parent: 100,
    child: 100,
    kind: 'user',
    more: ({ service, as }, name) => sendUsers(service, [describedUser(`User ${name}`)], as),
  },
];

let service: TestService;
let issuer: TestIssuer;
before(async () => {
  service = await startTestService();
  issuer = knownIssuer(service);
});
after(() => service.close());

test('expiring API keys of a user: one request creates at most 10', async () => {
  for (const as of [service.root, await addChild(service)]) {
    const userId = await makeUser(service, `Holder in ${as.organizationId}`, {}, as);
    const ask = (count: number) =>
      service.submit(
        'create_api_keys',
        'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
        {
          userId,
          apiKeys: Array.from({ length: count }, (_, i) =>
            describedKey(`${as.organizationId} ${count} ${i}`, { expirationSeconds: '60' }),
          ),
        },
        as,
      );
    await accepted(ask(10));
    const { status, body } = await ask(11);
    assert.equal(status, 429, JSON.stringify(body));
    assert.match(body.message, /maximum short-lived api keys: the limit is 10$/);
  }
});

for (const { what, kind, copy = () => ({}), more, ...maximum } of rows) {
  for (const place of ['parent', 'child'] as const) {
    const count = maximum[place];
    test(`${what} in a ${place}: ${count}, and not one more`, async () => {
      const { key, organizationId } = service.root;
      const as = place === 'parent' ? { key, organizationId } : await addChild(service);
      const userId = await makeUser(service, `Holder of ${what} in a ${place}`, {}, as);
      const asker = { service, as, userId };
      if (kind !== 'user') await accepted(more(asker, 'first'));
      let held = 0;
      await changeOrganization(
        service,
        (draft, newId) => {
          const present = draft.list(kind) as readonly { readonly id: string }[];
          const counted = present.filter((row) => !('userId' in row) || row.userId === userId);
          const [pattern] = counted.slice(-1);
          assert(pattern !== undefined);
          held = counted.length;
          for (; held < count - 1; held += 1) {
            const changed = { id: newId(), name: `Copy ${what} ${held}`, ...copy(held) };
            draft.put(kind, { ...pattern, ...changed } as never);
          }
          return undefined;
        },
        as.organizationId,
      );
      assert.equal(held, count - 1);
      await accepted(more(asker, 'the last one'));
      const { status, body } = await more(asker, 'one more');
      assert.deepEqual([status, body.code], [429, 8], JSON.stringify(body));
      const { owner, words } = limits[what];
      assert.equal(body.message, `${owner} has exceeded maximum ${words}: the limit is ${count}`);
    });
  }
}

async function accepted(answer: Promise<TestAnswer>): Promise<void> {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
}

/** Returns a contract address that differs for each label. */
function addressOf(label: string): string {
  return `0x${Buffer.from(label).toString('hex').padStart(40, 'f')}`;
}
