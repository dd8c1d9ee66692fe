// Decimal numbers as thresholds are written: exact, without an exponent or a sign.

/** A number is `digits` divided by ten to the power of `places`. */
type Decimal = { readonly digits: bigint; readonly places: number };

/** Digits of a threshold in all, and of those after the point. */
const maximumDigits = 38;
const maximumPlaces = 18;

/** The form that `decimalOf` reads, for people. */
export const decimalWords = `a decimal number of at most ${maximumDigits} digits, ${maximumPlaces} of them after the point`;

/** The number of a text such as `10000` or `0.25`, or undefined. */
export function decimalOf(text: string): Decimal | undefined {
  const [, whole, fraction = ''] = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > maximumPlaces) return undefined;
  if (whole.length + fraction.length > maximumDigits) return undefined;
  return { digits: BigInt(whole + fraction), places: fraction.length };
}
