import { fingerprint, object } from '../../core/schema/schema.ts';

/** The parameters of a vote: the activity by its fingerprint. */
export const voteParameters = () => object({ fingerprint: fingerprint() });
