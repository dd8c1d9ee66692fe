import assert from 'node:assert/strict';
import type { Sender, TestService } from '../../support/harness.ts';

export const guest = 'guest@example.com';

/** Returns an invitation in the form of requests; the root user invites by default. */
export const describedInvitation = (service: TestService, changes: object = {}) => ({
  receiverUserName: 'Guest',
  receiverUserEmail: guest,
  receiverUserTags: [] as string[],
  accessType: 'ACCESS_TYPE_WEB',
  senderUserId: service.root.userId,
  ...changes,
});

/** Invites a guest; returns the id of the invitation. */
export async function makeInvitation(
  service: TestService,
  { senderUserId, ...as }: Sender & { readonly senderUserId?: string } = {},
): Promise<string> {
  const invitation = describedInvitation(service, senderUserId ? { senderUserId } : {});
  const { status, body } = await service.submit(
    'create_invitations',
    'ACTIVITY_TYPE_CREATE_INVITATIONS',
    { invitations: [invitation] },
    as,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createInvitationsResult.invitationIds[0];
}

/** Returns the invitations of the first organization, as the service shows them. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export async function shownInvitations(service: TestService): Promise<any[]> {
  const { status, body } = await service.query('get_organization');
  assert.equal(status, 200, JSON.stringify(body));
  return body.organizationData.invitations;
}
