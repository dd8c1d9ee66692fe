// How an evaluation fails, without an exception: a closure that cannot give its value writes the
// failure here and gives undefined.

/** Why a clause has no value. */
export type EvaluationFailureCode =
  /** A root name, a namespace below it, or a member of `activity.params` is not there. */
  | 'namespace_absent'
  | 'member_missing'
  | 'key_missing'
  | 'index_out_of_range'
  /** A value inside a map has another type than its use needs. */
  | 'type_mismatch'
  /** An integer that neither `int` nor `uint` holds, or a time outside the calendar. */
  | 'number_out_of_range'
  | 'step_limit';

export type EvaluationFailure = {
  readonly code: EvaluationFailureCode;
  /** Offset in bytes of the UTF-8 text. */
  readonly position: number;
  readonly message: string;
};
