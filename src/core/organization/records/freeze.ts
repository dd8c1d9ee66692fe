// Freezes: what signs, exports and sends nothing until the root quorum lifts it.

import type { Row } from './row.ts';

/** The subjects of a freeze. The last two concern organizations below this one, so only a parent has them. */
export const freezeTypes = [
  'FREEZE_TYPE_WALLET',
  'FREEZE_TYPE_PRIVATE_KEY',
  'FREEZE_TYPE_USER',
  'FREEZE_TYPE_ORGANIZATION',
  'FREEZE_TYPE_SUB_ORGANIZATION',
  'FREEZE_TYPE_DEPLOYMENT',
] as const;
export type FreezeType = (typeof freezeTypes)[number];

export type Freeze = Row & {
  readonly type: FreezeType;
  /** The wallet, private key, user or sub-organization. */
  readonly resourceId?: string;
  readonly reason?: string;
  /** The user who submitted the freeze. */
  readonly userId: string;
};
