// Rules for smart contract interfaces: the ABIs, IDLs and descriptions that an organization stores.

import { hex, utf8 } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import { createWeighedCache } from '../base/lru_cache.ts';
import { isSolanaAddress } from '../base/solana_address.ts';
import { finishInParts, type Steps } from '../base/steps.ts';
import { table } from '../base/table.ts';
import { sha256 } from '../crypto/hashes.ts';
import { fail, failField } from '../errors/errors.ts';
import { createRowIndex } from '../organization/indexes/row_index.ts';
import { checkLimit } from '../organization/limits.ts';
import type {
  ContractInterface,
  ContractInterfaceText,
  ContractInterfaceType,
} from '../organization/model.ts';
import { requiredRecord } from '../organization/required_record.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';
import { type JsonObject, repeatedMember } from '../schema/json.ts';
import { readAbiInSteps } from './abi.ts';
import { readDescriptionInSteps } from './description.ts';
import { readIdlInSteps } from './idl.ts';
import { type InterfaceProblem, refuseInterface } from './refusal.ts';

/** Maximum length of one interface. */
export const maximumInterfaceCharacters = 400_000;
/**
 * Maximum UTF-16 units of an organization's interfaces as JSON. A list of them is one answer of at most 8
 * MiB, and a unit takes at most three bytes.
 */
const maximumJsonUnits = 2_500_000;

/** The calls that explanations read without an interface. */
export type KnownCalls = {
  /** Returns the signature of a known function with a selector. */
  readonly signatureOf: (selector: string) => string | undefined;
  /** Returns true for a program whose instructions are known. */
  readonly isProgram: (address: string) => boolean;
};

type Kind = {
  /** The expected form of an address, for error messages. */
  readonly address: string;
  /** Returns a text that is equal for equal addresses; undefined for an invalid address. */
  readonly addressKey: (text: string) => string | undefined;
  /** Validates an interface, and returns its parts that cannot be decoded, or that have another name. */
  readonly read: (
    interfaceJson: unknown,
    address: string,
    known: KnownCalls,
  ) => Steps<readonly InterfaceProblem[]>;
  /** Allows several interfaces with different texts for one address. */
  readonly allowsSeveral?: true;
};

const ethereumAddress = '`0x` and 40 hex digits';
const ethereumKey = (text: string) =>
  /^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : undefined;

const kinds: Readonly<Record<ContractInterfaceType, Kind>> = table<Kind>()({
  SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM: {
    address: ethereumAddress,
    addressKey: ethereumKey,
    read: function* (value, _, { signatureOf }) {
      const functions = yield* readAbiInSteps(value);
      return [
        ...functions.flatMap(({ signature, selector }) => {
          const known = signatureOf(selector);
          if (known === undefined || known === signature) return [];
          return renamed(
            signature,
            `has the selector of ${known}, and explanations show that call`,
          );
        }),
        ...functions.flatMap(({ signature, problem }) => problemOf(signature, problem)),
      ];
    },
  },
  SMART_CONTRACT_INTERFACE_TYPE_SOLANA: {
    address: 'base58 of 32 bytes',
    addressKey: (text) => (isSolanaAddress(text) ? text : undefined),
    read: function* (value, address, { isProgram }) {
      const instructions = yield* readIdlInSteps(value);
      const ofProgram = isProgram(address)
        ? renamed(address, 'is a program that explanations read without the interface')
        : [];
      return [
        ...ofProgram,
        ...instructions.flatMap(({ name, isOfName }) =>
          isOfName
            ? []
            : renamed(name, 'begins with other bytes than Anchor derives from the name'),
        ),
        ...instructions.flatMap(({ name, problem }) => problemOf(name, problem)),
      ];
    },
  },
  SMART_CONTRACT_INTERFACE_TYPE_ERC7730: {
    address: ethereumAddress,
    addressKey: ethereumKey,
    read: function* (value, address) {
      const { deployments } = yield* readDescriptionInSteps(value);
      if (deployments.some((each) => each.address === address.toLowerCase())) return [];
      return refuseInterface('context', `expected a deployment at ${address}`);
    },
    allowsSeveral: true,
  },
});

function problemOf(name: string, reason: string | undefined): readonly InterfaceProblem[] {
  if (reason === undefined) return [];
  const message = `calls of ${name} are not decoded, so policies read no facts of them: ${reason}`;
  return [{ code: 'NOT_DECODED', name, message }];
}

/** Returns a warning about a name that only the author of the interface vouches for. */
const renamed = (name: string, why: string): readonly InterfaceProblem[] => [
  {
    code: 'NAME_OF_ANOTHER_CALL',
    name,
    message: `${name} ${why}: let policies compare selectors and bytes, not this name`,
  },
];

/** Maximum number of problems that warnings list. */
const maximumProblems = 20;

/** Problems of interfaces that the current request creates. */
const problemsOf = new WeakMap<ContractInterface, readonly InterfaceProblem[]>();

/**
 * Returns warnings about functions and instructions of a new interface that cannot be decoded, or whose name
 * may mislead.
 */
export const interfaceWarnings = (created: ContractInterface): readonly JsonObject[] =>
  shownProblems(problemsOf.get(created) ?? []);

/** Returns the first problems of each code, and the number of the others. */
export function shownProblems(problems: readonly InterfaceProblem[]): readonly InterfaceProblem[] {
  return (['NAME_OF_ANOTHER_CALL', 'NOT_DECODED'] as const).flatMap((code) => {
    const ofCode = problems.filter((problem) => problem.code === code);
    const shown = ofCode.slice(0, maximumProblems);
    const left = ofCode.length - shown.length;
    if (left === 0) return shown;
    const message =
      code === 'NOT_DECODED' ? `${left} more are not decoded` : `${left} more have such a name`;
    return [...shown, { code, name: '', message }];
  });
}

/** Returns the interface of a contract, whose address has any spelling of its chain. */
export function contractInterfaceAt(
  organization: OrganizationView,
  type: ContractInterfaceType,
  address: string,
): ContractInterface | undefined {
  return interfacesByAddress(organization).get(`${type}/${kinds[type].addressKey(address)}`);
}

/**
 * Returns the descriptions of contracts at these addresses, newest first; undefined if the organization
 * stores no descriptions.
 */
export function descriptionsAt(
  organization: OrganizationView,
  addresses: readonly string[],
): readonly ContractInterface[] | undefined {
  const stored = storedDescriptions(organization);
  if (stored.length === 0) return undefined;
  const wanted = addresses.map((address) => address.toLowerCase());
  return stored.filter(({ address }) => wanted.includes(address.toLowerCase()));
}

const storedDescriptions = createRowIndex('contract_interface', (rows) =>
  [...rows]
    .filter(({ type }) => type === 'SMART_CONTRACT_INTERFACE_TYPE_ERC7730')
    .sort((one, other) => (one.id < other.id ? 1 : -1)),
);

const interfacesByAddress = createRowIndex('contract_interface', (rows) => {
  const found = new Map<string, ContractInterface>();
  for (const row of rows) found.set(`${row.type}/${kinds[row.type].addressKey(row.address)}`, row);
  return found;
});

/** Finds an interface by its ID in any letter case. Raises `resource_not_found`. */
export const requireContractInterface = requiredRecord(
  'contract_interface',
  'smart contract interface',
);

/** Parameters of an interface. */
export type ContractInterfaceParameters = {
  readonly smartContractAddress: string;
  readonly smartContractInterface: string;
  readonly type: ContractInterfaceType;
  readonly label: string;
  readonly notes?: string;
};

/** A parsed new interface; depends only on the parameters. */
type ReadInterface = {
  readonly digest: string;
  readonly jsonUnits: number;
  readonly problems: readonly InterfaceProblem[];
};

/**
 * Parses a new interface with pauses. Raises `field_invalid` for an invalid address, ABI, IDL or description,
 * and `already_exists`.
 */
export async function readNewInterface(
  parameters: ContractInterfaceParameters,
  organization: OrganizationView,
  pause: () => Promise<void>,
  known: KnownCalls,
): Promise<ReadInterface> {
  const { smartContractInterface: text, label, notes = '' } = parameters;
  requireAddress(parameters);
  const digest = textDigest(text);
  requireNew(parameters, digest, organization);
  const jsonUnits = JSON.stringify([text, label, notes]).length;
  await pause();
  // Every vote and every reader of a waiting request read its interface again.
  const key = `${parameters.type} ${parameters.smartContractAddress} ${digest}`;
  const remembered = rememberedProblems.get(key);
  if (remembered !== undefined) return { digest, jsonUnits, problems: remembered };
  const problems = await finishInParts(problemsInSteps(parameters, known), pause);
  rememberedProblems.set(key, problems, 1 + problems.length);
  return { digest, jsonUnits, problems };
}

/** Problems of interfaces that were read last, at most 10,000 problems. */
const rememberedProblems = createWeighedCache<readonly InterfaceProblem[]>(10_000);

/** The parameters that decide whether an interface is valid. */
type InterfaceText = Pick<
  ContractInterfaceParameters,
  'smartContractAddress' | 'smartContractInterface' | 'type'
>;

/** Returns the problems of an interface. Raises `field_invalid` for an invalid address or interface. */
export function* interfaceProblemsInSteps(
  parameters: InterfaceText,
  known: KnownCalls,
): Steps<readonly InterfaceProblem[]> {
  requireAddress(parameters);
  return yield* problemsInSteps(parameters, known);
}

function* problemsInSteps(
  { smartContractAddress, smartContractInterface, type }: InterfaceText,
  known: KnownCalls,
): Steps<readonly InterfaceProblem[]> {
  const value = yield* parseText(smartContractInterface);
  yield;
  return yield* kinds[type].read(value, smartContractAddress, known);
}

function requireAddress({ smartContractAddress, type }: InterfaceText): void {
  const { address, addressKey } = kinds[type];
  if (addressKey(smartContractAddress) === undefined) {
    failField('parameters.smartContractAddress', `expected ${address}`);
  }
}

/** Raises `already_exists` if the address has an interface already. */
function requireNew(
  { smartContractAddress: address, type }: ContractInterfaceParameters,
  digest: string,
  organization: OrganizationView,
): void {
  const kind = kinds[type];
  const others = organization
    .list('contract_interface')
    .filter(
      (row) => row.type === type && kind.addressKey(row.address) === kind.addressKey(address),
    );
  if (others.some((row) => kind.allowsSeveral !== true || row.digest === digest)) {
    fail('already_exists', { resource: 'smart contract interface', what: address });
  }
}

/** Stores a parsed interface. Raises `already_exists` and `limit_exceeded`. */
export function createContractInterface(
  parameters: ContractInterfaceParameters,
  { digest, jsonUnits, problems }: ReadInterface,
  organization: OrganizationDraft,
  context: Context,
): ContractInterface {
  const { smartContractAddress: address, smartContractInterface: text, type, label } = parameters;
  const { notes = '' } = parameters;
  requireNew(parameters, digest, organization);
  checkRoom(jsonUnits, organization);

  const { now } = context;
  const times = { createdAtMs: now, updatedAtMs: now };
  const created: ContractInterface = {
    id: context.newId(),
    type,
    address,
    label,
    notes,
    digest,
    jsonUnits,
    ...times,
  };
  problemsOf.set(created, problems);
  organization.put('contract_interface', created);
  organization.add('contract_interface_text', { id: created.id, text, ...times });
  return created;
}

/** Removes interfaces with their texts. */
export function deleteContractInterfaces(
  interfaces: readonly ContractInterface[],
  organization: OrganizationDraft,
): void {
  for (const { id, createdAtMs, updatedAtMs } of interfaces) {
    organization.remove('contract_interface', id);
    // A removed row only needs its ID, so the text is not fetched.
    const text: ContractInterfaceText = { id, text: '', createdAtMs, updatedAtMs };
    organization.drop('contract_interface_text', text);
  }
}

/** Returns the SHA-256 of a text in UTF-8, in lower-case hex. */
export const textDigest = (text: string): string => hex(sha256(utf8(text)));

function checkRoom(jsonUnits: number, organization: OrganizationView): void {
  const others = organization.list('contract_interface');
  checkLimit('contractInterfaces', others.length + 1, organization);
  const total = others.reduce((sum, other) => sum + other.jsonUnits, jsonUnits);
  if (total > maximumJsonUnits) {
    const resource = 'characters of smart contract interfaces';
    fail('limit_exceeded', { owner: 'organization', resource, limit: maximumJsonUnits });
  }
}

function* parseText(text: string): Steps<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message would repeat parts of the text.
    return refuseInterface('', 'expected JSON');
  }
  yield;
  const repeated = repeatedMember(text, value);
  return repeated === undefined ? value : refuseInterface('', `\`${repeated}\` is there twice`);
}
