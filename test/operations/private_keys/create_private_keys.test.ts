import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressFormats, addressOf } from '../../../src/core/address/index.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { ensureAddressesFree } from '../../../src/core/keys/private_keys.ts';
import { emptySmallState, viewOf } from '../../../src/core/organization/state.ts';
import { bytes } from '../../standards/vector_files.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { described, makePrivateKeys, makeTag } from './private_key_requests.ts';

const wire = {
  operation: 'create_private_keys',
  type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
  intent: 'createPrivateKeysIntentV2',
  result: 'createPrivateKeysResultV2',
};

test('create_private_keys: creates keys of every curve with every address format', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const tag = await makeTag(service, 'Hot');
  const curves = ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] as const;
  const privateKeys = curves.map((curve) =>
    described({
      privateKeyName: curve,
      curve,
      privateKeyTags: [tag],
      addressFormats: Object.values(addressFormats)
        .filter((format) => format.curves.includes(curve))
        .map((format) => format.name),
    }),
  );
  const broken = (changes: object) => ({ privateKeys: [described(), described(changes)] });
  const result = await checkActivity(service, {
    ...wire,
    parameters: { privateKeys },
    malformed: [
      { field: 'parameters.privateKeys', parameters: { privateKeys: [] } },
      ...Object.entries({
        privateKeyName: '',
        curve: 'CURVE_P521',
        'privateKeyTags.0': ['x'],
        'addressFormats.0': ['ADDRESS_FORMAT_OTHER'],
      }).flatMap(([path, value]) => {
        const name = path.split('.')[0] ?? '';
        return [
          { field: `parameters.privateKeys.1.${path}`, parameters: broken({ [name]: value }) },
          { field: `parameters.privateKeys.1.${name}`, parameters: broken({ [name]: undefined }) },
        ];
      }),
      {
        field: 'parameters.privateKeys.1.addressFormats.1',
        parameters: broken({
          addressFormats: ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_SOLANA'],
        }),
      },
      {
        field: 'parameters.privateKeys.1.addressFormats.1',
        parameters: broken({ addressFormats: Array(2).fill('ADDRESS_FORMAT_ETHEREUM') }),
      },
      {
        field: 'parameters.privateKeys.1.privateKeyTags.1',
        parameters: broken({ privateKeyTags: [tag, tag.toUpperCase()] }),
      },
    ],
  });
  const stored = (await service.query('list_private_keys')).body.privateKeys;
  assert.equal(stored.length, 3);
  for (const [i, { privateKeyId, addresses, curve, publicKey, ...rest }] of stored.entries()) {
    assert.deepEqual(result.privateKeys[i], { privateKeyId, addresses });
    assert.deepEqual(
      addresses.map(({ format }: { format: string }) => format),
      privateKeys[i]?.addressFormats,
    );
    for (const { format, address } of addresses) {
      assert.equal(address, addressOf(format, curve, bytes(publicKey)));
    }
    assert.equal(curve, curves[i]);
    assert.equal(rest.privateKeyName, curve);
    assert.deepEqual(rest.privateKeyTags, [tag]);
  }
  assert.equal(new Set(stored.map((key: { publicKey: string }) => key.publicKey)).size, 3);
});

test('create_private_keys: the first version returns ids', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const result = await checkActivity(service, {
    operation: wire.operation,
    type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS',
    intent: 'createPrivateKeysIntent',
    result: 'createPrivateKeysResult',
    parameters: { privateKeys: [described(), described({ addressFormats: [] })] },
  });
  const stored = (await service.query('list_private_keys')).body.privateKeys;
  const ids = stored.map((key: { privateKeyId: string }) => key.privateKeyId);
  assert.deepEqual(result, { privateKeyIds: ids });
});

test('create_private_keys: takes tags of this organization and at most 1000 keys, all or none', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const tagOfChild = await makeTag(service, 'Tag', [], await addChild(service));
  const userTag = '01900000-0000-7000-8000-00000000000a';
  const [made] = await makePrivateKeys(service);
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    draft.put('tag', { id: userTag, name: 'User tag', type: 'TAG_TYPE_USER', ...times });
    const key = draft.get('private_key', made?.privateKeyId ?? '');
    assert(key !== undefined);
    for (let i = 0; i < 998; i += 1)
      draft.put('private_key', { ...key, id: newId(), addresses: [] });
  });
  const missing = { status: 404, code: 5, text: /^unable to find private key tag / };
  for (const tag of [tagOfChild, userTag]) {
    const parameters = { privateKeys: [described({ privateKeyTags: [tag] })] };
    await checkRefused(service, { ...wire, parameters }, missing);
  }
  await checkRefused(
    service,
    { ...wire, parameters: { privateKeys: [described(), described()] } },
    {
      status: 429,
      code: 8,
      text: /^organization has exceeded maximum private keys: the limit is 1000$/,
    },
  );
  await makePrivateKeys(service);
});

test('create_private_keys: an address belongs to one key', () => {
  const address = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';
  const addresses = [{ format: 'ADDRESS_FORMAT_ETHEREUM', address } as const];
  const head = {
    name: 'Organization',
    rootQuorum: { threshold: 1, userIds: [] },
    features: [],
    createdAtMs: 0,
    updatedAtMs: 0,
  };
  const key = {
    id: 'key',
    name: 'Key',
    curve: 'CURVE_SECP256K1',
    publicKey: '',
    addresses,
    tagIds: [],
    secret: '',
    exported: false,
    imported: false,
    createdAtMs: 0,
    updatedAtMs: 0,
  } as const;
  const records = { ...emptySmallState(), private_key: new Map([['key', key]]) };
  const view = viewOf({
    id: 'organization',
    parentId: undefined,
    version: 1,
    guard: 1,
    head,
    records,
  });
  ensureAddressesFree([], view);
  ensureAddressesFree([{ format: 'ADDRESS_FORMAT_ETHEREUM', address: 'other' }], view);
  assert.throws(
    () => ensureAddressesFree(addresses, view),
    (error) =>
      error instanceof ServiceError &&
      error.code === 'already_exists' &&
      error.message === `private key already exists: address ${address}`,
  );
});
