import { object, text } from '../../core/schema/schema.ts';

/** What a vote names: the activity by its fingerprint. */
export const voteParameters = () =>
  object({
    fingerprint: text({
      minimum: 71,
      maximum: 71,
      description: 'Fingerprint of the activity: `sha256:` and 64 hex digits.',
    }),
  });
