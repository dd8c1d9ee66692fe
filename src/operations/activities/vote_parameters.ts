import { fingerprint, object } from '../../core/schema/schema.ts';

/** What a vote names: the activity by its fingerprint. */
export const voteParameters = () => object({ fingerprint: fingerprint() });
