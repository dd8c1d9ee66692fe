// Step 1: checks the form of a request, and finds its organization.

import { assert, fail, failField } from '../core/errors/errors.ts';
import type { VoteSelection } from '../core/organization/records/activity.ts';
import { isJsonObject, type JsonObject } from '../core/schema/json.ts';
import { boolean, decimal, object, optional, text } from '../core/schema/schema.ts';
import { checkMembers, type Tolerance } from '../core/schema/unknown_members.ts';
import { compileValidator, validatorOf } from '../core/schema/validator.ts';
import type { ActivityOperation, VoteOperation } from '../operations/operation.ts';
import type { ActivityVersion, Catalog } from './catalog.ts';
import { organizationIdOf, parseBodyInParts } from './parse_body.ts';
import type { Fingerprint, Ports, Request } from './ports.ts';

/** A request for a new activity. */
export type ParsedActivity = {
  readonly kind: 'activity';
  readonly operation: ActivityOperation;
  readonly version: ActivityVersion;
  readonly organizationId: string;
  readonly timestampMs: number;
  /** True if its client asks for app proofs. */
  readonly generatesAppProofs: boolean;
  readonly dryRun: boolean;
  /** Parameters as submitted, which the intent repeats. */
  readonly submitted: JsonObject;
  /** Parameters in the form of the newest version. */
  readonly parameters: JsonObject;
  readonly fingerprint: Fingerprint;
  /** The paths of members that this service does not know and left out. */
  readonly ignored: readonly string[];
};

/** A vote, and the activity that it is for. */
export type ParsedVote = {
  readonly kind: 'vote';
  readonly organizationId: string;
  readonly timestampMs: number;
  readonly dryRun: boolean;
  readonly ignored: readonly string[];
  readonly ballot: Ballot;
};

export type Ballot = {
  /** Fingerprint of the activity to vote on: `sha256:` and hex. */
  readonly fingerprint: string;
  readonly selection: VoteSelection;
};

/**
 * Checks the members of the body of a request. Raises `field_missing`, `field_unknown`, `field_invalid`,
 * `organization_id_malformed`, `activity_type_mismatch`, `dry_run_contradicted`.
 */
export function parse(
  request: Pick<Request, 'body' | 'dryRun'>,
  members: JsonObject,
  operation: ActivityOperation | VoteOperation,
  catalog: Catalog,
  ports: Pick<Ports, 'sha256' | 'deployment'>,
): ParsedActivity | ParsedVote {
  const { refusesUnknownMembers } = ports.deployment;
  const tolerance = refusesUnknownMembers ? undefined : { knownNames: catalog.memberNames };
  return operation.kind === 'vote'
    ? parseVote(request, members, operation, tolerance)
    : parseActivity(request, members, operation, tolerance, catalog, ports);
}

/** Parses the body of a stored activity of this type again, with pauses if it is large. */
export async function parseStored(
  type: string,
  body: Uint8Array,
  catalog: Catalog,
  ports: Pick<Ports, 'sha256' | 'pause'>,
): Promise<ParsedActivity> {
  // The body was accepted unchanged.
  const tolerance = { knownNames: catalog.memberNames };
  const members = await parseBodyInParts(body, ports.pause);
  const operation = catalog.operationOfType(type);
  const parsed = parseActivity({ body }, members, operation, tolerance, catalog, ports);
  assert(!parsed.dryRun, 'dry runs are not stored');
  return parsed;
}

function parseActivity(
  request: Pick<Request, 'body' | 'dryRun'>,
  body: JsonObject,
  operation: ActivityOperation,
  tolerance: Tolerance | undefined,
  catalog: Catalog,
  { sha256 }: Pick<Ports, 'sha256'>,
): ParsedActivity {
  const organizationId = organizationIdOf(body);
  const versions = catalog.versions(operation);
  const version = versions.get(requireType(body, versions));
  assert(version !== undefined, 'a type that is accepted has a version');
  const envelope = readEnvelope(body, tolerance);
  const { timestampMs, generatesAppProofs, dryRun } = envelope;
  const { value, ignored } = checkMembers(version, envelope.parameters, 'parameters', tolerance);
  return {
    kind: 'activity',
    operation,
    version,
    organizationId,
    timestampMs,
    generatesAppProofs,
    submitted: value,
    parameters: version.upgrade(value),
    ignored: joined(envelope.ignored, ignored),
    fingerprint: {
      digest: sha256(request.body),
      // The finest bucket: equal bodies share it, and different bodies rarely do.
      bucket: timestampMs,
    },
    dryRun: isDryRun(request.dryRun, dryRun),
  };
}

function parseVote(
  request: Pick<Request, 'dryRun'>,
  body: JsonObject,
  { type, parameters: schema, selection }: VoteOperation,
  tolerance: Tolerance | undefined,
): ParsedVote {
  const organizationId = organizationIdOf(body);
  requireType(body, new Map([[type, type]]));
  const { timestampMs, dryRun, parameters, ignored: beside } = readEnvelope(body, tolerance);
  const checked = { schema, validate: validatorOf(schema) };
  const { value, ignored } = checkMembers(checked, parameters, 'parameters', tolerance);
  const fingerprint = String(value['fingerprint']).toLowerCase();
  return {
    kind: 'vote',
    organizationId,
    timestampMs,
    ballot: { fingerprint, selection },
    ignored: joined(beside, ignored),
    dryRun: isDryRun(request.dryRun, dryRun),
  };
}

/**
 * Returns true if a request is a dry run: if its signed body or its header says so. Removing the header does
 * not change a dry run by its body. Raises `dry_run_contradicted`.
 */
function isDryRun(header: boolean | undefined, signed: boolean | undefined): boolean {
  if (signed !== undefined && header !== undefined && signed !== header) {
    fail('dry_run_contradicted', { header: `\`${header}\``, body: `\`${signed}\`` });
  }
  return signed ?? header ?? false;
}

const envelope = object({
  type: text({ maximum: 100 }),
  timestampMs: decimal({ minimum: 0, maximum: 8_640_000_000_000_000 }),
  organizationId: text({ maximum: 36 }),
  parameters: object({}),
  generateAppProofs: optional(boolean()),
  dryRun: optional(boolean()),
});
/** Names of the members other than the parameters. */
export const envelopeNames: readonly string[] = Object.keys(envelope.properties);

const checkedEnvelope = { schema: envelope, validate: compileValidator(envelope) };

function readEnvelope(
  body: JsonObject,
  tolerance: Tolerance | undefined,
): {
  timestampMs: number;
  generatesAppProofs: boolean;
  dryRun: boolean | undefined;
  parameters: JsonObject;
  ignored: readonly string[];
} {
  const { parameters, dryRun } = body;
  if (parameters !== undefined && !isJsonObject(parameters)) {
    failField('parameters', 'expected an object');
  }
  const members = { ...body, ...(parameters === undefined ? {} : { parameters: {} }) };
  const { ignored } = checkMembers(checkedEnvelope, members, '', tolerance);
  return {
    ignored,
    timestampMs: Number(body['timestampMs']),
    generatesAppProofs: body['generateAppProofs'] === true,
    dryRun: typeof dryRun === 'boolean' ? dryRun : undefined,
    // Clients that spread their input copy the top-level switch into the parameters.
    parameters: withoutMember(parameters ?? {}, 'generateAppProofs'),
  };
}

function withoutMember(value: JsonObject, name: string): JsonObject {
  if (!Object.hasOwn(value, name)) return value;
  return Object.fromEntries(Object.entries(value).filter(([member]) => member !== name));
}

function joined(members: readonly string[], others: readonly string[]): readonly string[] {
  return members.length === 0 ? others : [...members, ...others];
}

function requireType(body: JsonObject, accepted: ReadonlyMap<string, unknown>): string {
  const { type } = body;
  if (type === undefined) {
    fail('field_missing', { field: 'type' }, [{ field: 'type', description: 'missing field' }]);
  }
  if (typeof type === 'string' && accepted.has(type)) return type;
  const expected = [...accepted.keys()].join(' or ');
  const got = typeof type === 'string' ? type.slice(0, 100).toWellFormed() : typeof type;
  return fail('activity_type_mismatch', { expected, got }, [
    { field: 'type', description: `expected ${expected}` },
  ]);
}
