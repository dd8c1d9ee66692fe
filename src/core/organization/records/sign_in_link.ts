/**
 * Why a credential signs in to its organization if a request names only the parent. `proven`: it signed
 * there, or its registration did. `alone`: it is the only credential that its sub-organization was created
 * with. `given`: another user of the parent registered it for one of the parent's own users.
 */
export type SignInLink = 'proven' | 'alone' | 'given';
