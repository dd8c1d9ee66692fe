// Reads the values of a setting in JSON, and names their problems.

/** A problem of the setting, worded for the operator without repeating values. */
export class ChainsFault extends Error {}

export type Bounds = { readonly minimum: number; readonly maximum: number };

export function integerOf(
  value: unknown,
  { minimum, maximum }: Bounds,
  where: string,
  name: string,
): number | undefined {
  if (value === undefined) return undefined;
  const isIn = Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
  return isIn
    ? Number(value)
    : wrong(`${where}: \`${name}\` is an integer from ${minimum} to ${maximum}`);
}

export function membersOf(
  value: unknown,
  where: string,
  known?: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    wrong(`${where} is a JSON object`);
  }
  const isKnown = Object.keys(value).every((name) => known === undefined || known.includes(name));
  if (!isKnown) wrong(`${where} has no other members than ${known?.join(', ')}`);
  return value as Readonly<Record<string, unknown>>;
}

export function wrong(fault: string): never {
  throw new ChainsFault(fault);
}

/** Returns the normalized address of an Ethereum contract; undefined for an invalid address. */
export const evmContractOf = (address: string): string | undefined =>
  /^0x[0-9a-fA-F]{40}$/.test(address) ? address.toLowerCase() : undefined;
