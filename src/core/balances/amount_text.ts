/**
 * An amount for people to read: `1500000` of 6 decimals is `1.5`. Exact, without an exponent and
 * without zeros at the end. `amount` is in the smallest unit, decimal digits.
 */
export function amountText(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
