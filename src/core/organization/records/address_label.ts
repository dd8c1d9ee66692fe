// Labels of the address book.

import type { Row } from './row.ts';

/** An address, and an optional name for people. */
export type LabelledAddress = { readonly address: string; readonly name?: string };

/**
 * A label with its addresses. `updatedAtMs` is the time of the last change, and never before the start of an
 * activity that was waiting then.
 */
export type AddressLabel = Row & {
  /** Name of the label in policies: `address_book.<label>`. Never changes. */
  readonly label: string;
  /** Unique and normalized. */
  readonly addresses: readonly LabelledAddress[];
};
