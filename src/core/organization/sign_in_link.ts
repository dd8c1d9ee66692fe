/**
 * Why a credential links the parent to its organization. `proven`: it signed there, or its registration did.
 * `alone`: it was created with its sub-organization, as the only credential. `given`: another user of the
 * parent registered it for one of the parent's own users.
 */
export type SignInLink = 'proven' | 'alone' | 'given';
