/**
 * Formats an amount for people: `1500000` with 6 decimals is `1.5`. Exact, without exponent and trailing
 * zeros. `amount` is in the smallest unit, decimal digits.
 */
export function amountText(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
