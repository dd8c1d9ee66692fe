// Exact decimal numbers in thresholds, without exponent or sign.

/** A number is `digits` divided by ten to the power of `places`. */
type Decimal = { readonly digits: bigint; readonly places: number };

/** Maximum number of digits, in total and after the point. */
const maximumDigits = 38;
const maximumPlaces = 18;

/** The form that `decimalOf` accepts, for messages. */
export const decimalWords = `a decimal number of at most ${maximumDigits} digits, ${maximumPlaces} of them after the point`;

/** Parses a number such as `10000` or `0.25`; undefined for other text. */
export function decimalOf(text: string): Decimal | undefined {
  const [, whole, fraction = ''] = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > maximumPlaces) return undefined;
  if (whole.length + fraction.length > maximumDigits) return undefined;
  return { digits: BigInt(whole + fraction), places: fraction.length };
}
