export { create_invitations } from './create_invitations.ts';
export { delete_invitation } from './delete_invitation.ts';
