// Rows of the plan of `keywright migrate`.

import type { Submits } from '../../client/generated/operations.ts';
import type { Named } from '../service/find.ts';
import type { KeyKind, Transfer } from './transfers.ts';

/** Kinds that a run creates, in their order. Rows refer only to earlier kinds. */
export const kinds = [
  'user tag',
  'user',
  'policy',
  'webhook',
  'wallet',
  'private key',
  'private key tag',
  'sub-organization',
] as const;

type Created =
  | 'create_user_tag'
  | 'create_users'
  | 'create_policies'
  | 'create_webhook_endpoint'
  | 'create_wallet_accounts'
  | 'create_private_key_tag'
  | 'create_sub_organization';

/** The request that creates a row. */
type Creation = {
  [Name in Created]: {
    readonly operation: Name;
    readonly parameters: Submits[Name]['parameters'];
  };
}[Created];

/** The next step of the move of a wallet or private key. */
export type Move =
  | { readonly step: 'export'; readonly kind: KeyKind; readonly sourceId: string }
  | {
      readonly step: 'import';
      readonly kind: KeyKind;
      readonly bundle: Extract<Transfer, { step: 'exported' }>['bundle'];
      /** Parameters of the import besides the user and the bundle. */
      readonly parameters: Readonly<Record<string, unknown>>;
    };

export type PlannedRow = {
  /** One of `kinds`, or the kind of a row that no run moves. */
  readonly kind: string;
  readonly name: string;
  /**
   * `create`: the run creates the row. `waits`: the row waits for votes. `by hand`: a person must move it.
   */
  readonly state: 'create' | 'waits' | 'done' | 'differs' | 'by hand';
  readonly note: string;
  /** Undefined until the referenced rows exist. */
  readonly creation?: Creation;
  readonly move?: Move;
};

/** Returns the only row with this name; undefined for none or several. */
export function onlyOne<Row extends Named>(rows: readonly Row[], name: string): Row | undefined {
  const [first, ...others] = rows.filter((row) => row.name === name);
  return others.length === 0 ? first : undefined;
}

export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
