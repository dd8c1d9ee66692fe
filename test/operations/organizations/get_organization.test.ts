import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { makeInvitation } from '../invitations/invitation_requests.ts';
import { addChild } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makePrivateKeys, makeTag } from '../private_keys/private_key_requests.ts';
import {
  makeInterface,
  tokenAbi,
  tokenAddress,
} from '../smart_contract_interfaces/smart_contract_interface_requests.ts';
import { makeUser, makeUserTag } from '../users/user_requests.ts';
import { makeWallet } from '../wallets/wallet_requests.ts';

test('get_organization: returns the contents of the separate lists', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  await makeUserTag(service, 'Signers', [userId]);
  await makePrivateKeys(service);
  await makeTag(service, 'Hot');
  await makeWallet(service);
  await makePolicy(service, 'Wallets');
  const invitationId = await makeInvitation(service);
  const smartContractInterfaceId = await makeInterface(service);
  const feature = { name: 'FEATURE_NAME_SMS_AUTH', value: '' };
  const type = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE';
  assert.equal((await service.submit('set_organization_feature', type, feature)).status, 200);
  const child = await addChild(service);

  const { organizationData } = await checkQuery(service, {
    operation: 'get_organization',
    body: {},
  });
  const listed = async (operation: string) => (await service.query(operation)).body;
  const { configs } = await listed('get_organization_configs');
  const { smartContractInterfaceReferences, invitations, tags, ...rest } = organizationData;
  assert.deepEqual(
    invitations.map((invitation: { invitationId: string }) => invitation.invitationId),
    [invitationId],
  );
  assert.deepEqual(rest, {
    organizationId: service.root.organizationId,
    name: 'Test organization',
    ...(await listed('list_users')),
    ...(await listed('list_policies')),
    ...(await listed('list_private_keys')),
    ...(await listed('list_wallets')),
    rootQuorum: configs.quorum,
    features: configs.features,
  });
  assert.equal(rest.users.length, 3, 'a plain user was added by the check');
  assert.deepEqual(tags, [
    ...(await listed('list_user_tags')).userTags,
    ...(await listed('list_private_key_tags')).privateKeyTags,
  ]);
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(tokenAbi))).toString(
    'hex',
  );
  assert.deepEqual(smartContractInterfaceReferences, [
    { smartContractInterfaceId, smartContractAddress: tokenAddress, digest },
  ]);
  const below = await service.query(
    'get_organization',
    {},
    { organizationId: child.organizationId },
  );
  assert.equal(below.body.organizationData.organizationId, child.organizationId);
  assert.deepEqual(below.body.organizationData.wallets, []);
});
