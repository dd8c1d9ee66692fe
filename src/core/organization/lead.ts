/**
 * Why a credential leads from the parent to its organization. `proven`: it has signed there, or its
 * registration. `alone`: it was created with its sub-organization, as the only way to sign in there. `given`:
 * another user of the parent registered it for one of the parent's own users.
 */
export type Lead = 'proven' | 'alone' | 'given';
