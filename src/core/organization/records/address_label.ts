// Labels of the address book.

import type { Row } from './row.ts';

/** An address, and the name that people read. */
export type LabelledAddress = { readonly address: string; readonly name?: string };

/**
 * A label with its addresses. `updatedAtMs` is the last change, and later than the start of every activity
 * that waited then.
 */
export type AddressLabel = Row & {
  /** Policies read it as `address_book.<label>`. Never changes. */
  readonly label: string;
  /** In the stored form of their chain, each once. */
  readonly addresses: readonly LabelledAddress[];
};
