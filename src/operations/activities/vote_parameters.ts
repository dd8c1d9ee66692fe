import { fingerprint, object } from '../../core/schema/schema.ts';

/** The parameters of a vote, with the activity's fingerprint. */
export const voteParameters = () => object({ fingerprint: fingerprint() });
