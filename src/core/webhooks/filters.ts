// Filters of a subscription: a JSON object with accepted values, such as `{"statuses":
// ["ACTIVITY_STATUS_FAILED"], "resources": ["WALLET"]}`. An event passes if each member contains one of its
// values.

import { chainNameOf } from '../balances/chain_names.ts';
import { activityStatuses, type WebhookEventType } from '../base/enums.ts';
import { table } from '../base/table.ts';
import { failField } from '../errors/errors.ts';
import { activityResources } from '../policy/activity_kinds.ts';
import { resources as subjectResources } from '../policy/decision/access.ts';
import { isUuid } from '../schema/formats.ts';
import { repeatedMember } from '../schema/json.ts';
import { type FilterName, webhookEventTypes } from './event_types.ts';

/** Maximum length of a filter's text. */
export const maximumFiltersCharacters = 8_192;
const maximumValues = 100;
const maximumValueCharacters = 200;

/** The facts of an event, by the names of filters. */
export type EventFacts = { readonly [Name in FilterName]?: readonly string[] };

/** Normalized accepted values. Without members, every event passes. */
export type Filters = ReadonlyMap<FilterName, ReadonlySet<string>>;

type Filter = {
  /** Returns the reason why a value is invalid; undefined if it is valid. */
  readonly refuse: (value: string, eventType: WebhookEventType) => string | undefined;
  /** Returns the normalized value, equal for equivalent values. */
  readonly keyOf: (value: string) => string;
};

const same = (value: string) => value;
const inLowerCase = (value: string) => value.toLowerCase();
const oneOf = (names: Iterable<string>, value: string) => {
  const known = [...names];
  return known.includes(value) ? undefined : `expected one of ${known.join(', ')}`;
};
const matching = (pattern: RegExp, expected: string) => (value: string) =>
  pattern.test(value) ? undefined : `expected ${expected}`;

const sendStatuses = ['BROADCASTING', 'INCLUDED', 'FAILED'] as const;
const balanceDirections = ['deposit', 'withdraw'] as const;
const resources = new Set([...activityResources, ...subjectResources]);

const filters: Readonly<Record<FilterName, Filter>> = table<Filter>()({
  activityTypes: {
    refuse: matching(/^ACTIVITY_TYPE_[A-Z0-9_]{1,100}$/, 'an activity type'),
    keyOf: same,
  },
  statuses: {
    refuse: (value, eventType) =>
      oneOf(eventType === 'ACTIVITY_UPDATES' ? activityStatuses : sendStatuses, value),
    keyOf: same,
  },
  resources: { refuse: (value) => oneOf(resources, value), keyOf: same },
  organizationIds: {
    refuse: (value) => (isUuid(value) ? undefined : 'expected a UUID'),
    keyOf: inLowerCase,
  },
  chains: {
    refuse: matching(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/, 'a CAIP-2 chain as in `eip155:1`'),
    keyOf: chainNameOf,
  },
  addresses: {
    refuse: matching(/^[!-~]+$/, 'an address'),
    // Hexadecimal addresses are compared in lower case, all other addresses exactly.
    keyOf: (value) => (/^0x[0-9a-fA-F]+$/.test(value) ? value.toLowerCase() : value),
  },
  assets: { refuse: matching(/^[!-~]+$/, 'a CAIP-19 asset or a symbol'), keyOf: inLowerCase },
  directions: { refuse: (value) => oneOf(balanceDirections, value), keyOf: same },
});

/** Parses filters of a subscription. Raises `field_invalid`, with the known filters for an unknown one. */
export function readFilters(
  eventType: WebhookEventType,
  filtersJson: string | undefined,
  field: string,
): Filters {
  const given = objectOf(filtersJson ?? '', field);
  const known = webhookEventTypes[eventType].filters;
  return new Map(
    Object.entries(given).map(([member, values]) => {
      const name = known.find((each) => each === member);
      if (name === undefined) {
        failField(
          field,
          `unknown filter \`${shown(member)}\` of ${eventType}: expected ${known.join(', ')}`,
        );
      }
      return [name, keysOf(eventType, name, values, field)];
    }),
  );
}

/** Returns true if an event with these facts passes. */
export function passes(accepted: Filters, facts: EventFacts): boolean {
  return [...accepted].every(([name, keys]) =>
    facts[name]?.some((value) => keys.has(filters[name].keyOf(value))),
  );
}

function objectOf(text: string, field: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message would repeat parts of the text.
    return failField(field, 'expected JSON');
  }
  const repeated = repeatedMember(text, value);
  if (repeated !== undefined) return failField(field, `\`${repeated}\` is there twice`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return failField(field, 'expected a JSON object');
  }
  return value as Readonly<Record<string, unknown>>;
}

function keysOf(
  eventType: WebhookEventType,
  name: FilterName,
  values: unknown,
  field: string,
): ReadonlySet<string> {
  const isList = Array.isArray(values) && values.length >= 1 && values.length <= maximumValues;
  if (!isList) failField(field, `\`${name}\`: expected a list of 1 to ${maximumValues} texts`);
  return new Set(
    values.map((value: unknown) => {
      if (typeof value !== 'string' || value.length > maximumValueCharacters) {
        failField(field, `\`${name}\`: expected texts of at most ${maximumValueCharacters}`);
      }
      const reason = filters[name].refuse(value, eventType);
      if (reason !== undefined) failField(field, `\`${name}\`: ${reason}, got \`${shown(value)}\``);
      return filters[name].keyOf(value);
    }),
  );
}

/** Returns the printable part of the client's text. */
const shown = (text: string) => text.slice(0, 60).replaceAll(/[^ -~]/g, '?');
