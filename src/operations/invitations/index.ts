import { create_invitations } from './create_invitations.ts';
import { delete_invitation } from './delete_invitation.ts';

export const invitationActivities = { create_invitations, delete_invitation };
