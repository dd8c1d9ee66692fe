// The records of invitations.

import type { AccessType } from '../../base/enums.ts';
import type { Row } from './row.ts';

/** Whom the organization expects: a note, which gives nobody anything. */
export type Invitation = Row & {
  readonly receiverName: string;
  readonly receiverEmail: string;
  readonly receiverTagIds: readonly string[];
  readonly accessType: AccessType;
  readonly senderUserId: string;
};
