// Collects the names, the ids and the transaction in the parameters of an activity.

import { isTransactionRequest } from './request_types.ts';

export type About = {
  readonly names: readonly string[];
  /** UUIDs in the parameters, in lower case. */
  readonly ids: readonly string[];
  /** The parameters, if the activity signs or sends a transaction. */
  readonly transaction?: Readonly<Record<string, unknown>>;
};

const maximumThings = 3;
const maximumCharacters = 80;
/** Maximum length of a hex transaction that a list decodes. */
const maximumTransaction = 20_000;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function aboutOf(activity: { readonly type: string; readonly intent?: unknown }): About {
  const { type, intent } = activity;
  const [parameters] = Object.values(intent ?? {});
  if (typeof parameters !== 'object' || parameters === null) return { names: [], ids: [] };
  const given = parameters as Readonly<Record<string, unknown>>;
  const names: string[] = [];
  const ids: string[] = [];
  for (const [member, value] of Object.entries(given)) {
    collect(member, value, names, ids);
    const rows = Array.isArray(value) ? value : [];
    for (const row of rows.slice(0, maximumThings + 1)) {
      if (typeof row !== 'object' || row === null) continue;
      for (const [own, each] of Object.entries(row)) collect(own, each, names, ids);
    }
  }
  const isTransaction =
    isTransactionRequest(type) &&
    String(given['unsignedTransaction'] ?? '').length <= maximumTransaction;
  return {
    names: names.slice(0, maximumThings),
    ids: ids.slice(0, maximumThings),
    ...(isTransaction ? { transaction: given } : {}),
  };
}

const feature = 'FEATURE_NAME_';

/** Returns the words of a feature's name, such as `otp email auth`. */
const featureText = (name: string): string =>
  name.slice(feature.length).toLowerCase().replaceAll('_', ' ');

function collect(member: string, value: unknown, names: string[], ids: string[]): void {
  if (/(?:Name|Label)$|^(?:label|name)$/.test(member) && typeof value === 'string') {
    const name = value.startsWith(feature) ? featureText(value) : value;
    if (name.length > maximumCharacters) names.push(`${name.slice(0, maximumCharacters)}…`);
    else if (name !== '') names.push(name);
  }
  if (!/Ids?$/.test(member)) return;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const each of values.slice(0, maximumThings + 1)) {
    if (typeof each === 'string' && uuid.test(each)) ids.push(each.toLowerCase());
  }
}

/** Returns at most three distinct names: the known names of the ids, then the names in the parameters. */
export function thingsOf(
  { names, ids }: About,
  known: ReadonlyMap<string, string>,
): readonly string[] {
  const found = ids.flatMap((id) => known.get(id) ?? []);
  return [...new Set([...found, ...names])].slice(0, maximumThings);
}
