/**
 * Why a credential leads from the parent to its organization. `proven`: it has signed there, or its
 * registration. `alone`: it came with the organization, as the only way into it.
 */
export type Lead = 'proven' | 'alone';
