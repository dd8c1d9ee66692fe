import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  ask,
  describedApp,
  describedSet,
  make,
  makeApp,
  makeDeployment,
  operatorKey,
  shownApp,
} from './deployment_requests.ts';

const wire = {
  operation: 'create_tvc_app',
  type: 'ACTIVITY_TYPE_CREATE_TVC_APP',
  intent: 'createTvcAppIntent',
  result: 'createTvcAppResult',
};
const names = (count: number) => Array.from({ length: count }, (_, i) => `Operator ${i}`);

test('create_tvc_app: creates two new sets of new operators', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = describedApp({ enableEgress: true, enableDebugModeDeployments: true });
  const wrong = {
    name: ['', 'x'.repeat(256), 'a\nb'],
    quorumPublicKey: [
      '',
      'zz',
      operatorKey('Ada').slice(130),
      `${operatorKey('Ada')}00`,
      // A point off the curve, a compressed point, and a mix of both forms.
      operatorKey('Ada').replace(/..$/, (last) => (last === '00' ? '01' : '00')),
      `03${operatorKey('Ada').slice(2)}`,
      `06${operatorKey('Ada').slice(2)}`,
      'x'.repeat(301),
    ],
  };
  const set = describedSet(['Ada'], 1);
  const wrongSets: readonly (readonly [string, object])[] = [
    ['.threshold', { ...set, threshold: 0 }],
    ['.threshold', { ...set, threshold: 2 }],
    ['.threshold', { ...describedSet(names(50), 50), threshold: 51 }],
    ['.name', { ...set, name: '' }],
    ['', { name: 'Set', threshold: 1 }],
    ['', { name: 'Set', threshold: 1, newOperators: [], existingOperatorIds: [] }],
    ['.newOperators', describedSet(names(51), 1)],
    ['.newOperators.0.publicKey', { ...set, newOperators: [{ name: 'Ada', publicKey: '04' }] }],
    ['.newOperators.0.name', { ...set, newOperators: [{ publicKey: operatorKey('Ada') }] }],
    ['.existingOperatorIds.0', { ...set, existingOperatorIds: ['x'] }],
    ['.existingOperatorIds.1', { ...set, existingOperatorIds: [unknownId, unknownId] }],
    // One party cannot be two members, by name or by either key.
    ['', describedSet(['Ada', 'Ada'], 1)],
    ['', twins({ name: 'Bob', publicKey: operatorKey('Ada') })],
    ['', twins({ name: 'Bob', publicKey: mixedKey('Ada', 'Bob') })],
    ['', twins({ name: 'Bob', publicKey: mixedKey('Bob', 'Ada') })],
  ];
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['manifestSetParams', 'shareSetParams', 'enableEgress', 'enableDebugModeDeployments'],
    malformed: [
      ...Object.entries(wrong).flatMap(([name, values]) =>
        values.map((value) => ({
          field: `parameters.${name}`,
          parameters: { ...parameters, [name]: value },
        })),
      ),
      ...wrongSets.map(([path, manifestSetParams]) => ({
        field: `parameters.manifestSetParams${path}`,
        parameters: { ...parameters, manifestSetParams },
      })),
      {
        field: 'parameters.manifestSetId',
        parameters: { ...parameters, manifestSetId: unknownId },
      },
      { field: 'parameters.shareSetId', parameters: { ...parameters, shareSetId: unknownId } },
      {
        field: 'parameters.shareSetParams.threshold',
        parameters: { ...parameters, shareSetParams: describedSet(['Ada', 'Dan'], 1) },
      },
      ...(['manifestSet', 'shareSet'] as const).map((set) => {
        const { [`${set}Params` as const]: _, ...without } = parameters;
        return { field: `parameters.${set}Id`, parameters: without };
      }),
    ],
  });
  const [ada, bob, eve, dan, none] = [
    ...new Set<string>([...result.manifestSetOperatorIds, ...result.shareSetOperatorIds]),
  ];
  assert.ok(ada && bob && eve && dan);
  assert.equal(none, undefined);
  const { appId, manifestSetId, shareSetId } = result;
  assert.deepEqual(result, {
    appId,
    manifestSetId,
    manifestSetOperatorIds: [ada, bob, eve],
    manifestSetThreshold: 2,
    shareSetId,
    // Ada is one operator in both sets.
    shareSetOperatorIds: [ada, dan],
    shareSetThreshold: 2,
  });
  const app = await shownApp(service, appId);
  assert.equal(app.enableEgress, true);
  assert.equal(app.enableDebugModeDeployments, true);
});

test('create_tvc_app: reuses existing sets and operators', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await make(service, 'create_tvc_app', describedApp());
  const described = await make(service, 'create_tvc_app', describedApp({ name: 'Second' }));
  const { manifestSetParams, shareSetParams, ...rest } = describedApp({ name: 'Third' });
  const named = await make(service, 'create_tvc_app', {
    ...rest,
    manifestSetId: first.manifestSetId.toUpperCase(),
    shareSetId: first.shareSetId,
  });
  const [ada, bob, eve] = first.manifestSetOperatorIds;
  const listed = await make(service, 'create_tvc_app', {
    ...rest,
    name: 'Fourth',
    // The same members in another order; one of them is described again.
    manifestSetParams: {
      ...describedSet(['Eve'], 2, 'Approvers'),
      existingOperatorIds: [bob, ada.toUpperCase()],
    },
    shareSetParams,
  });
  for (const { appId, ...sets } of [described, named, listed]) {
    const { appId: _, ...expected } = first;
    assert.notEqual(appId, first.appId);
    assert.deepEqual(sets, expected);
  }
  const other = await make(service, 'create_tvc_app', {
    ...rest,
    name: 'Fifth',
    manifestSetParams: { ...manifestSetParams, threshold: 3 },
    shareSetParams,
  });
  assert.notEqual(other.manifestSetId, first.manifestSetId);
  assert.deepEqual(other.manifestSetOperatorIds, [ada, bob, eve]);
});

test('create_tvc_app: takes only sets and operators of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await make(service, 'create_tvc_app', describedApp(), child);
  const { manifestSetParams, ...rest } = describedApp();
  const notFound = { status: 404, code: 5 };
  for (const manifestSetId of [unknownId, ofChild.manifestSetId]) {
    const text = new RegExp(`^unable to find operator set ${manifestSetId} in organization`);
    const parameters = { ...rest, manifestSetId };
    await checkRefused(service, { ...wire, parameters }, { ...notFound, text });
  }
  for (const operatorId of [unknownId, ofChild.manifestSetOperatorIds[0]]) {
    const existing = { name: 'Set', existingOperatorIds: [operatorId], threshold: 1 };
    const parameters = describedApp({ manifestSetParams: existing });
    const text = new RegExp(`^unable to find operator ${operatorId} in organization`);
    await checkRefused(service, { ...wire, parameters }, { ...notFound, text });
  }
  await makeApp(service);
});

test('create_tvc_app: requires a threshold of two for share sets', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { manifestSetId: shareSetId } = await make(
    service,
    'create_tvc_app',
    describedApp({ manifestSetParams: describedSet(['Ada', 'Bob'], 1) }),
  );
  const { shareSetParams: _, ...rest } = describedApp({ name: 'Another' });
  await checkRefused(
    service,
    { ...wire, parameters: { ...rest, shareSetId } },
    { status: 400, code: 3, text: /threshold of at least 2/, field: 'parameters.shareSetId' },
  );
});

test('create_tvc_app: names are unique among undeleted applications', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeApp(service, {}, await addChild(service));
  const appId = await makeApp(service);
  const text = /^application label must be unique: `Application` already exists/;
  const parameters = describedApp();
  await checkRefused(service, { ...wire, parameters }, { status: 400, code: 3, text });
  await make(service, 'delete_tvc_app_and_deployments', { appId });
  await makeApp(service);
});

test('create_tvc_app: an organization has at most 50, and the oldest deleted one is replaced', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [oldest, second] = [await makeApp(service), await makeApp(service, { name: 'Second' })];
  const deploymentId = await makeDeployment(service, oldest);
  const { manifestSet, shareSet, quorumPublicKey } = await shownApp(service, oldest);
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    for (let i = 0; i < 48; i += 1) {
      draft.put('tvc_app', {
        id: newId(),
        name: `Application ${i}`,
        quorumPublicKey,
        manifestSetId: manifestSet.id,
        shareSetId: shareSet.id,
        enableEgress: false,
        enableDebugModeDeployments: false,
        isDeleted: false,
        ...times,
      });
    }
    return undefined;
  });
  const text = /^organization has exceeded maximum applications: the limit is 50$/;
  const parameters = describedApp({ name: 'One more' });
  await checkRefused(service, { ...wire, parameters }, { status: 429, code: 8, text });
  await make(service, 'delete_tvc_app_and_deployments', { appId: second });
  await make(service, 'delete_tvc_app_and_deployments', { appId: oldest });
  await makeApp(service, { name: 'One more' });
  const statusOf = async (tvcAppId: string) =>
    (await service.query('get_tvc_app', { tvcAppId })).status;
  assert.equal(await statusOf(oldest), 404);
  assert.equal((await service.query('get_tvc_deployment', { deploymentId })).status, 404);
  assert.equal(await statusOf(second), 200);
  assert.equal((await service.query('list_tvc_apps')).body.tvcApps.length, 50);
});

test('create_tvc_app: an organization has at most 500 operators and 200 sets', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
  const key = { publicKey: operatorKey('somebody'), keySource: 'EXTERNAL_KEY' } as const;
  await changeOrganization(service, (draft, newId) => {
    for (let i = 0; i < 499; i += 1) {
      draft.put('tvc_operator', { id: newId(), name: `Operator ${i}`, ...key, ...times });
    }
    return undefined;
  });
  const tooMany = await ask(service, 'create_tvc_app', describedApp());
  assert.equal(tooMany.status, 429);
  assert.match(tooMany.body.message, /maximum operators: the limit is 500$/);
  await changeOrganization(service, (draft, newId) => {
    for (const { id } of draft.list('tvc_operator')) draft.remove('tvc_operator', id);
    for (let i = 0; i < 199; i += 1) {
      const set = { id: newId(), name: `Set ${i}`, operatorIds: [], threshold: 1, ...times };
      draft.put('tvc_operator_set', set);
    }
    return undefined;
  });
  const { status, body } = await ask(service, 'create_tvc_app', describedApp());
  assert.equal(status, 429);
  assert.match(body.message, /maximum operator sets: the limit is 200$/);
});

/** Ada and an operator who shares a name or a key with her. */
const twins = (other: { readonly name: string; readonly publicKey: string }) => ({
  name: 'Set',
  newOperators: [{ name: 'Ada', publicKey: operatorKey('Ada') }, other],
  threshold: 1,
});

/** The encryption key of one operator with the signing key of another. */
const mixedKey = (encrypts: string, signs: string): string =>
  operatorKey(encrypts).slice(0, 130) + operatorKey(signs).slice(130);
