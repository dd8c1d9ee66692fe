import type { MemberTexts } from './member_text.ts';

/** Freezes. */
export const freezeTexts: MemberTexts = {
  freezes: ['Freezes', 'Freezes of the organization, oldest first.'],
  freezeId: ['Freeze ID', 'UUID of the freeze.'],
  'create_freeze>type': ['Type', 'Type of the frozen subject.'],
  'freezes.type': ['Type', 'Type of the frozen subject.'],
  resourceId: [
    'Resource ID',
    'UUID of the wallet, private key, user or sub-organization. Absent for other types.',
  ],
  'create_freeze>reason': ['Reason', 'Reason in free text.'],
  'freezes.reason': ['Reason', 'Reason in free text.'],
  'freezes.userId': ['User ID', 'UUID of the user who submitted the freeze.'],
};
