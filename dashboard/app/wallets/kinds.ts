// Kinds of accounts by the names that people know.

import { type Chain, chains } from '../../../src/client/accounts.ts';
import { t } from '../../messages/text.ts';

export type Kind = Chain;
export const kinds = Object.keys(chains) as readonly Kind[];
export const kindText = (kind: Kind): string => t(`kind.${kind}`);

/** Names an address format: the kind, or the format's own words. */
export function formatText(addressFormat: string): string {
  const kind = kinds.find((each) => chains[each][2] === addressFormat);
  if (kind !== undefined) return kindText(kind);
  return addressFormat.replace('ADDRESS_FORMAT_', '').replaceAll('_', ' ');
}

/** Finds the kind whose path equals this path except for the number. */
export function isOfKind(kind: Kind, path: string): boolean {
  const [before = '', after = ''] = chains[kind][1].split('#');
  return path.startsWith(before) && path.endsWith(after);
}
