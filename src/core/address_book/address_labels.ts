// The address book: labels with addresses. Policies read a label as `address_book.<label>`.

import { timestampsOf } from '../base/compatibility.ts';
import type { Context } from '../base/context.ts';
import { fail, failField } from '../errors/errors.ts';
import { createRowIndex } from '../organization/indexes/row_index.ts';
import { checkLimit } from '../organization/limits.ts';
import type { AddressLabel, LabelledAddress } from '../organization/records/address_label.ts';
import { requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { identifiersIn, isChosenName } from '../policy/language/controls_read.ts';
import { type AddressBookFacts, noAddressBook } from '../policy/language/values.ts';
import { storedAddress } from './stored_address.ts';

export const maximumLabelCharacters = 64;

/** An address in a request. */
type DescribedAddress = { readonly address: string; readonly name?: string | undefined };

/** Finds a label by its ID in any letter case. Raises `resource_not_found`. */
const requireAddressLabel = requiredRecord('address_label', 'address label');

/** Creates a label. Raises `field_invalid`, `label_not_unique` and `limit_exceeded`. */
export function createAddressLabel(
  { label, addresses }: { readonly label: string; readonly addresses: readonly DescribedAddress[] },
  organization: OrganizationDraft,
  { now, newId }: Context,
): AddressLabel {
  const others = organization.list('address_label');
  checkLimit('addressLabels', others.length + 1, organization);
  if (!isChosenName(label)) {
    failField(
      'parameters.label',
      'expected letters, digits and `_`, no digit first, and no word of the policy language',
    );
  }
  if (others.some((other) => other.label === label)) {
    fail('label_not_unique', { resource: 'address label', label });
  }
  const id = newId();
  const stored = readAddresses(addresses, 'parameters.addresses', []);
  return put({ id, label, addresses: stored, createdAtMs: now, updatedAtMs: now }, organization);
}

/**
 * Adds and removes addresses of a label. Raises `resource_not_found`, `field_invalid` and
 * `limit_exceeded`.
 */
export function updateAddressLabel(
  {
    addressLabelId,
    addAddresses = [],
    removeAddresses = [],
  }: {
    readonly addressLabelId: string;
    readonly addAddresses?: readonly DescribedAddress[] | undefined;
    readonly removeAddresses?: readonly string[] | undefined;
  },
  organization: OrganizationDraft,
  now: number,
): AddressLabel {
  const before = requireAddressLabel(organization, addressLabelId);
  const removed = removeAddresses.map((text, i) => {
    const address = storedAddress(text) ?? text;
    const isThere = before.addresses.some((known) => known.address === address);
    if (!isThere) failField(`parameters.removeAddresses.${i}`, 'is not an address of the label');
    return address;
  });
  const kept = before.addresses.filter(({ address }) => !removed.includes(address));
  const added = readAddresses(addAddresses, 'parameters.addAddresses', kept);
  // Each change needs its own time, which is part of the keys of cached decisions.
  const updatedAtMs = Math.max(now, before.updatedAtMs + 1);
  return put({ ...before, addresses: [...kept, ...added], updatedAtMs }, organization);
}

/** Deletes a label. Raises `resource_not_found`, and `address_label_in_use` while a policy reads it. */
export function deleteAddressLabel(id: string, organization: OrganizationDraft): AddressLabel {
  const found = requireAddressLabel(organization, id);
  const reader = organization
    .list('policy')
    .find(({ condition }) => identifiersIn(condition, 'AddressBook').includes(found.label));
  if (reader !== undefined) {
    fail('address_label_in_use', { label: found.label, policyId: reader.id });
  }
  organization.remove('address_label', found.id);
  return found;
}

/** Returns the API form of a label. */
export function addressLabelView({ id, label, addresses, ...times }: AddressLabel) {
  return {
    addressLabelId: id,
    label,
    addresses: addresses.map(({ address, name }) => ({
      address,
      ...(name === undefined ? {} : { name }),
    })),
    ...timestampsOf(times),
  };
}

/**
 * Returns the labels as policies read them. Omits labels that changed after the start of the activity, so
 * that a change never widens a pending decision.
 */
export function addressBookFacts(
  organization: OrganizationView,
  begunAtMs = Number.POSITIVE_INFINITY,
): AddressBookFacts {
  if (organization.rows('address_label').size === 0) return noAddressBook;
  const { facts, newestMs, rows } = wholeBook(organization);
  return newestMs < begunAtMs ? facts : factsOf(rows.filter((row) => row.updatedAtMs < begunAtMs));
}

const wholeBook = createRowIndex('address_label', (labels) => {
  const rows = [...labels];
  return { rows, facts: factsOf(rows), newestMs: Math.max(...rows.map((row) => row.updatedAtMs)) };
});

function factsOf(rows: readonly AddressLabel[]): AddressBookFacts {
  const facts: { [label: string]: readonly string[] } = Object.create(null);
  for (const { label, addresses } of rows) facts[label] = addresses.map(({ address }) => address);
  return { facts, key: JSON.stringify(rows.map(({ id, updatedAtMs }) => [id, updatedAtMs])) };
}

function readAddresses(
  described: readonly DescribedAddress[],
  field: string,
  known: readonly LabelledAddress[],
): readonly LabelledAddress[] {
  const stored: LabelledAddress[] = [];
  for (const [i, { address: text, name }] of described.entries()) {
    const address = storedAddress(text);
    if (address === undefined) {
      const expected = 'expected an address with a correct checksum';
      return failField(`${field}.${i}.address`, expected);
    }
    const isAgain = [...known, ...stored].some((other) => other.address === address);
    if (isAgain) failField(`${field}.${i}.address`, 'is already an address of the label');
    stored.push({ address, ...(name === undefined ? {} : { name }) });
  }
  return stored;
}

function put(label: AddressLabel, organization: OrganizationDraft): AddressLabel {
  // If the clock was set back, the change must still not be dated before a waiting activity.
  const waiting = organization.list('open_activity').map(({ createdAtMs }) => createdAtMs);
  const updatedAtMs = waiting.reduce((latest, ms) => Math.max(latest, ms), label.updatedAtMs);
  const row = { ...label, updatedAtMs };
  organization.put('address_label', row);
  const rows = organization.list('address_label');
  const total = rows.reduce((sum, { addresses }) => sum + addresses.length, 0);
  checkLimit('labelledAddresses', total, organization);
  return row;
}
