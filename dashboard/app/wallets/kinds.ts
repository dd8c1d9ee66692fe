// Kinds of accounts, with the names of their chains.

import { type Chain, chains } from '../../../src/client/accounts.ts';
import { t } from '../../messages/text.ts';

export type Kind = Chain;
export const kinds = Object.keys(chains) as readonly Kind[];
export const kindText = (kind: Kind): string => t(`kind.${kind}`);

/** Returns the name of the kind with this address format, else the format in words. */
export function formatText(addressFormat: string): string {
  const kind = kinds.find((each) => chains[each][2] === addressFormat);
  if (kind !== undefined) return kindText(kind);
  return addressFormat.replace('ADDRESS_FORMAT_', '').replaceAll('_', ' ');
}

/** Returns true if the path is a path of this kind, with any account number. */
export function isOfKind(kind: Kind, path: string): boolean {
  const [before = '', after = ''] = chains[kind][1].split('#');
  return path.startsWith(before) && path.endsWith(after);
}
