// Errors about shares of the root key.

import { rowsOf } from './row.ts';

export const shareErrors = {
  ...rowsOf('FAILED_PRECONDITION', 'INTERNAL', {
    not_sealed: 'the service does not wait for shares of its root key',
    share_sealed_elsewhere:
      'the share is not sealed to this run of the enclave: run keywright unseal share again',
    shares_missing: 'only {given} of {threshold} required shares were given: find {missing} more',
  }),
  ...rowsOf('INVALID_ARGUMENT', 'INTERNAL', {
    sharing_impossible:
      '{threshold} of {count} shares is not possible: the threshold is at least {minimum}, and there are at most {maximum} shares',
    share_unreadable: 'these bytes are not a share of a root key',
    share_altered: 'share {number} was altered: take another copy of it',
    share_of_other_key: 'share {number} belongs to another root key than that of this service',
    share_of_other_sharing:
      'share {number} comes from another sharing of the root key: take the share of the sharing that this service expects',
    shares_absent: 'no share was given',
    shares_of_different_keys: 'the shares belong to different root keys: remove the foreign ones',
    shares_of_different_sharings:
      'the shares come from different sharings of one root key: take those of one sharing',
    shares_forged: 'the shares yield a different key from the one they name: one of them is forged',
  }),
  ...rowsOf('ALREADY_EXISTS', 'INTERNAL', {
    share_repeated: 'share {number} was given twice: each share counts once',
  }),
};
