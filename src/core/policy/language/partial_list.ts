// Lists with unknown parts. They occur only in clauses of a DENY: in an ALLOW, a list with a part that has no
// value has no value itself.

import type { FactValue } from './values.ts';

/** The elements of a list that is tested, filtered, searched and counted. */
export type Elements = readonly FactValue[] | PartialList;

/** A number that is not known, and between which it is, both included. */
export type CountRange = { readonly least: bigint; readonly most: bigint };

type Known = {
  /** Elements that are in the list. */
  readonly values: readonly FactValue[];
  /** Elements that may be in it. */
  readonly doubtful: readonly FactValue[];
  /** Number of further elements with unknown values. */
  readonly unknown: number;
  /** Number of unknown elements that may be of that sort. */
  readonly doubtfulUnknown?: number;
};

/** The order of its elements is not kept: nothing that depends on it has a value. */
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

  /** Returns true if elements of unknown value are in it, or may be. */
  get hasUnknown(): boolean {
    return this.unknown + this.doubtfulUnknown > 0;
  }
}
