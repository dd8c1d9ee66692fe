import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser, makeUserTag } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { describedInvitation, shownInvitations } from './invitation_requests.ts';

const wire = {
  operation: 'create_invitations',
  type: 'ACTIVITY_TYPE_CREATE_INVITATIONS',
  intent: 'createInvitationsIntent',
  result: 'createInvitationsResult',
};

test('create_invitations: stores and shows invitations, and sends nothing', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  const tag = await makeUserTag(service, 'Guests');
  const first = describedInvitation(service, {
    receiverUserEmail: 'Guest@example.com',
    receiverUserTags: [tag.toUpperCase()],
    senderUserId: userId.toUpperCase(),
  });
  const second = describedInvitation(service, {
    receiverUserName: 'Other',
    accessType: 'ACCESS_TYPE_API',
  });
  const broken = (changes: object) => ({
    invitations: [second, describedInvitation(service, changes)],
  });
  const field = 'parameters.invitations.1';
  const { invitationIds } = await checkActivity(service, {
    ...wire,
    parameters: { invitations: [first, second] },
    malformed: [
      { field: 'parameters.invitations', parameters: { invitations: [] } },
      {
        field: 'parameters.invitations',
        parameters: { invitations: Array(101).fill(second) },
      },
      { field: `${field}.receiverUserName`, parameters: broken({ receiverUserName: '' }) },
      { field: `${field}.receiverUserEmail`, parameters: broken({ receiverUserEmail: 'guest' }) },
      { field: `${field}.receiverUserTags.0`, parameters: broken({ receiverUserTags: ['x'] }) },
      {
        field: `${field}.receiverUserTags.1`,
        parameters: broken({ receiverUserTags: [tag, tag] }),
      },
      { field: `${field}.accessType`, parameters: broken({ accessType: 'ACCESS_TYPE_ROOT' }) },
      { field: `${field}.senderUserId`, parameters: broken({ senderUserId: undefined }) },
    ],
  });
  const shown = await shownInvitations(service);
  assert.deepEqual(
    shown.map(({ createdAt, updatedAt, ...rest }) => {
      assert.deepEqual(updatedAt, createdAt);
      return rest;
    }),
    [
      {
        invitationId: invitationIds[0],
        receiverUserName: 'Guest',
        receiverEmail: 'Guest@example.com',
        receiverUserTags: [tag],
        accessType: 'ACCESS_TYPE_WEB',
        status: 'INVITATION_STATUS_CREATED',
        senderUserId: userId,
      },
      {
        invitationId: invitationIds[1],
        receiverUserName: 'Other',
        receiverEmail: 'guest@example.com',
        receiverUserTags: [],
        accessType: 'ACCESS_TYPE_API',
        status: 'INVITATION_STATUS_CREATED',
        senderUserId: userId,
      },
    ],
  );
  assert.deepEqual(service.outside.messages, []);
  const deletion = { userTagIds: [tag] };
  await service.submit('delete_user_tags', 'ACTIVITY_TYPE_DELETE_USER_TAGS', deletion);
  const [{ receiverUserTags }] = await shownInvitations(service);
  assert.deepEqual(receiverUserTags, [], 'a tag that is gone is not shown');
});

test('create_invitations: requires the own user as sender, existing tags, and at most 100', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const key = testKey('Inviter');
  const inviterId = await makeUser(service, 'Inviter');
  const of = (changes: object) => ({
    ...wire,
    parameters: { invitations: [describedInvitation(service, changes)] },
  });
  const others = { status: 403, code: 7, clientCode: 'INVALID_ACTIVITY_CALLER' };
  const text = /`senderUserId` of an invitation: expected the calling user, got /;
  for (const senderUserId of [inviterId, unknownId]) {
    await checkRefused(service, of({ senderUserId }), { ...others, text });
  }
  // A policy lets a user invite, but not in the name of another user.
  await makePolicy(service, 'Invites', {
    condition: "activity.kind == 'CREATE_INVITATIONS'",
    consensus: `approvers.any(user, user.id == '${inviterId}')`,
  });
  const send = (senderUserId: string) => {
    const { operation, type, parameters } = of({ senderUserId });
    return service.submit(operation, type, parameters, { key });
  };
  assert.equal((await send(service.root.userId)).status, 403);
  assert.equal((await send(inviterId)).status, 200);
  await checkRefused(service, of({ receiverUserTags: [unknownId] }), {
    status: 404,
    code: 5,
    text: /user tag/,
  });
  const { operation, type } = wire;
  const many = (count: number) =>
    service.submit(operation, type, {
      invitations: Array.from({ length: count }, () => describedInvitation(service)),
    });
  assert.equal((await many(99)).status, 200);
  const beyond = await many(1);
  assert.equal(beyond.body.code, 8);
  assert.match(beyond.body.message, /exceeded maximum invitations: the limit is 100/);
  assert.equal((await shownInvitations(service)).length, 100);
});
