import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { createTestIssuer, publish } from '../../support/identity_provider.ts';
import { describedPasskey } from '../authenticators/authenticator_requests.ts';
import { assertViolation, checkQuery } from '../checks.ts';

const maximumChildren = 7;

type Child = {
  readonly id: string;
  readonly address: string;
  readonly publicKey: string;
  readonly credentialId: string;
};

let service: TestService;
/** The children, oldest first. */
const children: Child[] = [];
before(async () => {
  service = await startTestService();
  for (let i = 0; i < maximumChildren; i += 1) children.push(await createChild(i));
});
after(() => service.close());

/**
 * Creates a child. Children with even numbers share a name, a user name, an e-mail, a phone number and a
 * passkey.
 */
async function createChild(i: number): Promise<Child> {
  const pair = i % 2 === 0 ? 'even' : `odd ${i}`;
  const { publicKey } = testKey(`child ${i}`);
  const passkey = describedPasskey(pair);
  const apiKey = { apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' };
  const { body } = await service.submit(
    'create_sub_organization',
    'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    {
      subOrganizationName: `Child ${pair}`,
      rootUsers: [
        {
          userName: `User ${pair}`,
          userEmail: `User.${pair.replace(' ', '')}@Example.com`,
          userPhoneNumber: i % 2 === 0 ? '+12025550100' : `+1202555010${i}`,
          apiKeys: [apiKey],
          authenticators: [passkey],
          oauthProviders: [],
        },
      ],
      rootQuorumThreshold: 1,
      wallet: {
        walletName: 'Wallet',
        accounts: [
          {
            curve: 'CURVE_SECP256K1',
            pathFormat: 'PATH_FORMAT_BIP32',
            path: 'm/0',
            addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
          },
        ],
      },
    },
  );
  const { subOrganizationId, wallet } = body.activity.result.createSubOrganizationResultV8;
  const { credentialId } = passkey.attestation;
  return { id: subOrganizationId, address: wallet.addresses[0], publicKey, credentialId };
}

async function list(body: object, as = {}): Promise<string[]> {
  const answer = await service.query('list_suborgs', body, as);
  assert.equal(answer.status, 200, answer.body.message);
  assert.deepEqual(Object.keys(answer.body), ['organizationIds']);
  return answer.body.organizationIds;
}

const found = (filterType: string, filterValue: string) => list({ filterType, filterValue });
const all = () => children.map(({ id }) => id);
const even = () => all().filter((_, i) => i % 2 === 0);

test('users who may list get an answer, and malformed bodies are refused', async () => {
  // The shared check adds a child, so it gets its own service.
  const another = await startTestService();
  after(() => another.close());
  const page = (paginationOptions: object) => ({ paginationOptions });
  const { organizationIds } = await checkQuery(another, {
    operation: 'list_suborgs',
    body: { filterType: 'NAME', filterValue: 'Child even' },
    malformed: [
      { field: 'filterValue', parameters: { filterType: 'NAME', filterValue: '' } },
      { field: 'paginationOptions', parameters: { paginationOptions: '10' } },
      { field: 'paginationOptions.limit', parameters: page({ limit: '0' }) },
      { field: 'paginationOptions.limit', parameters: page({ limit: '101' }) },
      { field: 'paginationOptions.before', parameters: page({ before: 'x' }) },
    ],
  });
  assert.deepEqual(organizationIds, []);
});

test('a filter finds every child with the value, and no other', async () => {
  const [first, second] = children;
  assert.ok(first !== undefined && second !== undefined);
  const cases: [string, string, string[]][] = [
    ['NAME', 'Child even', even()],
    ['NAME', 'Child odd 1', [second.id]],
    ['NAME', 'child even', []],
    ['NAME', 'Child', []],
    ['USERNAME', 'User even', even()],
    ['USERNAME', 'User odd 1', [second.id]],
    ['EMAIL', 'User.even@Example.com', even()],
    ['EMAIL', 'user.EVEN@example.COM', even()],
    ['EMAIL', 'user.odd1@example.com', [second.id]],
    ['EMAIL', 'example.com', []],
    ['PHONE_NUMBER', '+12025550100', even()],
    ['PHONE_NUMBER', '+12025550101', [second.id]],
    ['PHONE_NUMBER', '12025550101', []],
    ['PUBLIC_KEY', first.publicKey, [first.id]],
    ['PUBLIC_KEY', first.publicKey.toUpperCase(), [first.id]],
    ['PUBLIC_KEY', service.root.key.publicKey, []],
    ['CREDENTIAL_ID', first.credentialId, even()],
    ['CREDENTIAL_ID', second.credentialId, [second.id]],
    [
      'CREDENTIAL_ID',
      Buffer.from(second.credentialId, 'base64url').toString('base64'),
      [second.id],
    ],
    ['CREDENTIAL_ID', second.credentialId.slice(1), []],
    ['CREDENTIAL_ID', 'no base64!', []],
    ['WALLET_ACCOUNT_ADDRESS', second.address, [second.id]],
    ['WALLET_ACCOUNT_ADDRESS', second.address.toLowerCase(), [second.id]],
    ['WALLET_ACCOUNT_ADDRESS', second.address.slice(2), []],
    ['NAME', second.address, []],
  ];
  for (const [filterType, value, expected] of cases) {
    assert.deepEqual(await found(filterType, value), expected, `${filterType} ${value}`);
  }
});

test('a child is found by its changed value, and no longer by the old value', async () => {
  const [, , , child] = children;
  assert.ok(child !== undefined);
  const as = { organizationId: child.id, key: testKey('child 3') };
  const { userId } = (await service.query('whoami', {}, as)).body;
  const userEmail = 'changed@example.com';
  const parameters = { userId, userEmail };
  const type = 'ACTIVITY_TYPE_UPDATE_USER_EMAIL';
  assert.equal((await service.submit('update_user_email', type, parameters, as)).status, 200);
  assert.deepEqual(await found('EMAIL', userEmail), [child.id]);
  assert.deepEqual(await found('EMAIL', 'user.odd3@example.com'), []);
});

test('an unknown filter type is refused with the list of the known types', async () => {
  const unknown = await service.query('list_suborgs', { filterType: 'ID', filterValue: 'x' });
  assertViolation(unknown, 'filterType');
  assert.match(
    unknown.body.message,
    /expected one of CREDENTIAL_ID, NAME, USERNAME, EMAIL, PHONE_NUMBER, OIDC_TOKEN, WALLET_ACCOUNT_ADDRESS, PUBLIC_KEY, got `ID`/,
  );
});

test('a token finds the child with its account', async (t) => {
  const own = await startTestService();
  t.after(() => own.close());
  const issuer = createTestIssuer();
  publish(own, issuer);
  const oidcToken = issuer.token(own, { sub: 'ada' });
  const rootUser = {
    userName: 'Ada',
    apiKeys: [],
    authenticators: [],
    oauthProviders: [{ providerName: 'Provider', oidcToken }],
  };
  const made = await own.submit(
    'create_sub_organization',
    'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    { subOrganizationName: 'Of a token', rootUsers: [rootUser], rootQuorumThreshold: 1 },
  );
  const { subOrganizationId } = made.body.activity.result.createSubOrganizationResultV8;
  const foundBy = async (filterValue: string) =>
    (await own.query('list_suborgs', { filterType: 'OIDC_TOKEN', filterValue })).body;
  assert.deepEqual(await foundBy(oidcToken), { organizationIds: [subOrganizationId] });
  const ofEve = issuer.token(own, { sub: 'eve' });
  assert.deepEqual(await foundBy(ofEve), { organizationIds: [] });
  assert.equal((await foundBy('x')).turnkeyErrorCode, 'INVALID_OIDC_TOKEN');
});

test('pages of any size are the list, without gap or overlap, in both directions', async () => {
  const filters = fc.constantFrom({}, { filterType: 'NAME', filterValue: 'Child even' });
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 9 }),
    filters,
    async (limit, filter) => {
      const expected = 'filterType' in filter ? even() : all();
      const page = (cursor: object) => list({ ...filter, paginationOptions: { limit, ...cursor } });

      const forward: string[] = [];
      for (let ids = await page({}); ids.length > 0; ids = await page({ after: forward.at(-1) })) {
        assert.ok(ids.length <= limit);
        forward.push(...ids);
      }
      assert.deepEqual(forward, expected);

      const backward = expected.slice(-1);
      for (let ids = await page({ before: backward[0] }); ids.length > 0; ) {
        assert.ok(ids.length <= limit);
        backward.unshift(...ids);
        ids = await page({ before: backward[0] });
      }
      assert.deepEqual(backward, expected);
    },
  );
  await fc.assert(property, { numRuns: 20 });
});

test('a deleted child leaves no gap in the pages', async () => {
  const [gone] = children.splice(2, 1);
  assert.ok(gone !== undefined);
  const as = { organizationId: gone.id, key: testKey('child 2') };
  const type = 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION';
  const parameters = { deleteWithoutExport: true };
  assert.equal((await service.submit('delete_sub_organization', type, parameters, as)).status, 200);
  assert.deepEqual(await list({ paginationOptions: { limit: 3 } }), all().slice(0, 3));
  const [second, third] = all().slice(1);
  assert.deepEqual(await list({ paginationOptions: { limit: 1, after: second } }), [third]);
  assert.deepEqual(await found('NAME', 'Child even'), [all()[0], all()[3], all()[5]]);
});
