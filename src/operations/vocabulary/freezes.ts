import type { MemberTexts } from './member_text.ts';

export const freezeTexts: MemberTexts = {
  freezes: 'Freezes of the organization, oldest first.',
  freezeId: 'UUID of the freeze.',
  'create_freeze>type freezes.type': 'Type of the frozen subject.',
  resourceId: 'UUID of the wallet, private key, user or sub-organization. Absent for other types.',
  'create_freeze>reason freezes.reason': 'Reason in free text.',
  'freezes.userId': 'UUID of the user who submitted the freeze.',
};
