// Descriptions (ERC-7730) that explain a request to people. Policies do not read them.

import { eip55 } from '../../core/address/ethereum.ts';
import { hex } from '../../core/base/bytes.ts';
import { finishInParts } from '../../core/base/steps.ts';
import { parsedDescriptions } from '../../core/contracts/description.ts';
import { descriptionsAt } from '../../core/contracts/smart_contract_interfaces.ts';
import { createRowIndex } from '../../core/organization/indexes/row_index.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { domainFacts, readTypedDataInSteps } from '../../core/payload/eip712.ts';
import type { Descriptions } from '../../core/transactions/described.ts';
import type { Reader } from '../reader.ts';

type Sources = {
  readonly organization: OrganizationView;
  readonly read: Reader;
  readonly pause: () => Promise<void>;
};

/**
 * Loads the descriptions of contracts and parses each in its own turn. Returns undefined if the organization
 * stores no description.
 */
export async function descriptionsOf(
  contracts: readonly string[],
  { organization, read, pause }: Sources,
): Promise<Descriptions | undefined> {
  const stored = descriptionsAt(organization, contracts);
  if (stored === undefined) return undefined;
  const texts = await read.contractInterfaceTexts(stored);
  const found: { digest: string; text: string }[] = [];
  for (const { id, digest } of stored) {
    const text = texts.get(id);
    if (text === undefined) continue;
    await parsedDescriptions.parse({ digest, text }, pause);
    found.push({ digest, text });
    await pause();
  }
  return { texts: found, nameOf: (address) => labelOf(address, organization) };
}

/** Like `descriptionsOf`, for payloads of typed data. */
export async function descriptionsOfPayloads(
  payloads: readonly string[],
  sources: Sources,
): Promise<Descriptions | undefined> {
  // Parses typed data again only for organizations with descriptions.
  if (descriptionsAt(sources.organization, []) === undefined) return undefined;
  const contracts: string[] = [];
  for (const payload of payloads.slice(0, maximumPayloads)) {
    const typedData = await finishInParts(readTypedDataInSteps(payload, 'payload'), sources.pause);
    const { verifyingContract } = domainFacts(typedData);
    if (verifyingContract !== undefined) contracts.push(eip55(hex(verifyingContract)));
  }
  return descriptionsOf(contracts, sources);
}

const maximumPayloads = 20;

/** Returns the label of an address. Uses an index, because an explanation may show thousands of addresses. */
const labelOf = (address: string, organization: OrganizationView): string | undefined =>
  labelsByAddress(organization).get(address.toLowerCase());

const labelsByAddress = createRowIndex(
  'address_label',
  (rows): ReadonlyMap<string, string> =>
    new Map(
      // In reverse, so that the first label of an address wins.
      [...rows]
        .toReversed()
        .flatMap(({ label, addresses }) =>
          addresses.map((each) => [each.address.toLowerCase(), label] as const),
        ),
    ),
);
