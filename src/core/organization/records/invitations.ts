import type { AccessType } from '../../base/enums.ts';
import type { Row } from './row.ts';

/** An invitation of an expected user. It grants no rights. */
export type Invitation = Row & {
  readonly receiverName: string;
  readonly receiverEmail: string;
  readonly receiverTagIds: readonly string[];
  readonly accessType: AccessType;
  readonly senderUserId: string;
};
