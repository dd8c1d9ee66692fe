// Freezes: a frozen subject cannot sign, export or send until the root quorum lifts the freeze.

import type { Row } from './row.ts';

/** Kinds of frozen subjects. Only a parent has the last two, which concern sub-organizations. */
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
  /** ID of the wallet, private key, user or sub-organization. */
  readonly resourceId?: string;
  readonly reason?: string;
  /** The user who submitted the freeze. */
  readonly userId: string;
};
