// Errors about shares of the root key.

import type { ErrorRow } from './row.ts';

export const shareErrors = {
  not_sealed: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence: 'the service does not wait for shares of its root key',
  },
  sharing_impossible: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INTERNAL',
    sentence:
      '{threshold} of {count} shares is not possible: the threshold is at least {minimum}, and there are at most {maximum} shares',
  },
  share_unreadable: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INTERNAL',
    sentence: 'these bytes are no share of a root key',
  },
  share_sealed_elsewhere: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence:
      'the share is not sealed to this run of the enclave: run keywright unseal share again',
  },
  share_altered: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INTERNAL',
    sentence: 'share {number} was altered: take another copy of it',
  },
  share_of_other_key: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INTERNAL',
    sentence: 'share {number} belongs to another root key than that of this service',
  },
  share_of_other_sharing: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INTERNAL',
    sentence:
      'share {number} comes from another sharing of the root key: take the share of the sharing that this service expects',
  },
  share_repeated: {
    grpc: 'ALREADY_EXISTS',
    clientCode: 'INTERNAL',
    sentence: 'share {number} was given twice: each share counts once',
  },
  shares_absent: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INTERNAL',
    sentence: 'there is no share',
  },
  shares_missing: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence: '{given} of {threshold} needed shares were given: {missing} more must be found',
  },
  shares_of_different_keys: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INTERNAL',
    sentence: 'the shares belong to different root keys: remove the foreign ones',
  },
  shares_of_different_sharings: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INTERNAL',
    sentence: 'the shares come from different sharings of one root key: take those of one sharing',
  },
  shares_forged: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INTERNAL',
    sentence: 'the shares give another key than they name: one of them is forged',
  },
} as const satisfies Record<string, ErrorRow>;
