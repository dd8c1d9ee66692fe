import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeInvitation, shownInvitations } from './invitation_requests.ts';

const wire = {
  operation: 'delete_invitation',
  type: 'ACTIVITY_TYPE_DELETE_INVITATION',
  intent: 'deleteInvitationIntent',
  result: 'deleteInvitationResult',
};

test('delete_invitation: deletes one invitation and keeps the others', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const kept = await makeInvitation(service);
  const invitationId = await makeInvitation(service);
  const result = await checkActivity(service, {
    ...wire,
    parameters: { invitationId: invitationId.toUpperCase() },
    malformed: [{ field: 'parameters.invitationId', parameters: { invitationId: 'first' } }],
  });
  assert.deepEqual(result, { invitationId });
  const shown = await shownInvitations(service);
  assert.deepEqual(
    shown.map((each) => each.invitationId),
    [kept],
  );
});

test('delete_invitation: refuses unknown ids, and invitations of other organizations', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const [{ userId: senderUserId }] = (await service.query('list_users', {}, child)).body.users;
  const ofChild = await makeInvitation(service, { ...child, senderUserId });
  for (const invitationId of [ofChild, unknownId]) {
    await checkRefused(
      service,
      { ...wire, parameters: { invitationId } },
      { status: 404, code: 5, text: /^unable to find invitation / },
    );
  }
});
