// Lists with unknown parts. Only DENY clauses have them: in an ALLOW, a list with an unknown part has no
// value.

import type { FactValue } from './values.ts';

/** The elements of a list that is tested, filtered, searched and counted. */
export type Elements = readonly FactValue[] | PartialList;

/** The bounds of an unknown number, both inclusive. */
export type CountRange = { readonly least: bigint; readonly most: bigint };

type Known = {
  /** Elements that are in the list. */
  readonly values: readonly FactValue[];
  /** Elements that may be in it. */
  readonly doubtful: readonly FactValue[];
  /** Number of unknown elements that are certainly in the list. */
  readonly unknown: number;
  /** Number of unknown elements that may be of that sort. */
  readonly doubtfulUnknown?: number;
};

/** A list with unknown parts. Its order is lost, so nothing that depends on the order has a value. */
export class PartialList {
  readonly values: readonly FactValue[];
  readonly doubtful: readonly FactValue[];
  readonly unknown: number;
  readonly doubtfulUnknown: number;

  constructor({ values, doubtful, unknown, doubtfulUnknown = 0 }: Known) {
    this.values = values;
    this.doubtful = doubtful;
    this.unknown = unknown;
    this.doubtfulUnknown = doubtfulUnknown;
  }

  count(): CountRange {
    const least = this.values.length + this.unknown;
    const most = least + this.doubtful.length + this.doubtfulUnknown;
    return { least: BigInt(least), most: BigInt(most) };
  }

  /** Returns true if unknown elements are or may be in the list. */
  get hasUnknown(): boolean {
    return this.unknown + this.doubtfulUnknown > 0;
  }
}
