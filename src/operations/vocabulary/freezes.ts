import type { MemberTexts } from './member_text.ts';

/** Freezes. */
export const freezeTexts: MemberTexts = {
  freezes: ['Freezes', 'Freezes of the organization, oldest first.'],
  freezeId: ['Freeze ID', 'UUID of the freeze.'],
  'create_freeze>type': ['Type', 'What is frozen.'],
  'freezes.type': ['Type', 'What is frozen.'],
  resourceId: [
    'Resource ID',
    'UUID of the wallet, private key, user or sub-organization; absent for the others.',
  ],
  'create_freeze>reason': ['Reason', 'Reason for people.'],
  'freezes.reason': ['Reason', 'Reason for people.'],
  'freezes.userId': ['User ID', 'UUID of the user who submitted the freeze.'],
};
