// First step of a submit: what is asked, in which organization, and is it of the right form.

import { assert, fail, failField } from '../core/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../core/schema/json.ts';
import { boolean, decimal, object, optional, text } from '../core/schema/schema.ts';
import { compileValidator, type Validator, validatorOf } from '../core/schema/validator.ts';
import type { ActivityOperation, VoteOperation } from '../operations/operation.ts';
import type { Wire } from '../operations/wire.ts';
import { organizationIdOf, parseBody } from './parse_body.ts';
import type { Fingerprint, Ports, Request } from './ports.ts';

export type AdmittedActivity = {
  readonly operation: ActivityOperation;
  readonly version: ActivityVersion;
  readonly organizationId: string;
  readonly timestampMs: number;
  /** Whether its client asks for app proofs. */
  readonly generatesAppProofs: boolean;
  /** What the signed body says of trying it only; undefined where it says nothing. */
  readonly dryRun: boolean | undefined;
  /** As submitted: what the intent echoes. */
  readonly submitted: JsonObject;
  /** In the form of the newest version. */
  readonly parameters: JsonObject;
  readonly fingerprint: Fingerprint;
};

/** One activity type of an operation, ready to check and map parameters. */
export type ActivityVersion = {
  readonly wire: Wire;
  readonly validate: Validator;
  readonly upgrade: (parameters: JsonObject) => JsonObject;
  readonly downgrade: (result: JsonObject) => JsonObject;
};

/** The activity types that an operation's path accepts, by type. */
export function activityVersions(
  operation: ActivityOperation,
): ReadonlyMap<string, ActivityVersion> {
  const same = (value: JsonObject) => value;
  const newest: ActivityVersion = {
    wire: operation.wire,
    validate: compileValidator(operation.parameters),
    upgrade: operation.upgrade,
    downgrade: same,
  };
  return new Map([
    [newest.wire.type, newest],
    ...operation.older.map((older): [string, ActivityVersion] => [
      older.wire.type,
      {
        wire: older.wire,
        validate: compileValidator(older.parameters),
        upgrade: older.upgrade,
        downgrade: older.downgrade ?? same,
      },
    ]),
  ]);
}

/**
 * Parses and checks a submit body. Raises `body_malformed`, `field_missing`, `field_unknown`,
 * `field_invalid`, `organization_id_malformed`, `activity_type_mismatch`.
 */
function admit(
  requestBody: Uint8Array,
  operation: ActivityOperation,
  versions: ReadonlyMap<string, ActivityVersion>,
  ports: Pick<Ports, 'sha256'>,
): AdmittedActivity {
  const body = parseBody(requestBody);
  const organizationId = organizationIdOf(body);
  const version = versionOf(body, versions);
  const { timestampMs, generatesAppProofs, dryRun, parameters } = readEnvelope(body);
  version.validate(parameters, 'parameters');
  return {
    operation,
    version,
    organizationId,
    timestampMs,
    generatesAppProofs,
    dryRun,
    submitted: parameters,
    parameters: version.upgrade(parameters),
    fingerprint: {
      digest: ports.sha256(requestBody),
      // The finest there is: equal bodies meet in it, and others hardly ever.
      bucket: timestampMs,
    },
  };
}

/** The operations that make activities, as the pipeline reads their requests. */
export type Admission = {
  /** Parses and checks the body of a request for this operation. */
  admit(request: Pick<Request, 'operation' | 'body'>): AdmittedActivity;
  /** The same for a body that was admitted once, by its activity type. */
  admitAgain(type: string, body: Uint8Array): AdmittedActivity;
};

/** Prepares each operation when it is asked for first. Raises `operation_unknown`. */
export function createAdmission(
  operations: Readonly<Record<string, ActivityOperation>>,
  ports: Pick<Ports, 'sha256'>,
): Admission {
  const prepared = new Map<string, ReadonlyMap<string, ActivityVersion>>();
  const namesByType = new Map(
    Object.entries(operations).flatMap(([name, operation]) =>
      [operation, ...operation.older].map(({ wire }) => [wire.type, name] as const),
    ),
  );

  function admitNamed({ operation: name, body }: Pick<Request, 'operation' | 'body'>) {
    const operation = operations[name];
    if (operation === undefined) fail('operation_unknown', { operation: name });
    let versions = prepared.get(name);
    if (versions === undefined) {
      versions = activityVersions(operation);
      prepared.set(name, versions);
    }
    return admit(body, operation, versions, ports);
  }

  return {
    admit: admitNamed,
    admitAgain: (type, body) => {
      const operation = namesByType.get(type);
      assert(operation !== undefined, 'a stored activity has a type that was admitted');
      return admitNamed({ operation, body });
    },
  };
}

/** A vote: which activity it is for. */
export type AdmittedVote = {
  readonly operation: VoteOperation;
  readonly organizationId: string;
  readonly timestampMs: number;
  readonly dryRun: boolean | undefined;
  /** Of the activity that is voted on. */
  readonly fingerprint: string;
};

/** Parses and checks the body of a vote; raises as `admit` does. */
export function admitVote(request: Pick<Request, 'body'>, operation: VoteOperation): AdmittedVote {
  const body = parseBody(request.body);
  const organizationId = organizationIdOf(body);
  requireType(body, [operation.type]);
  const { timestampMs, dryRun, parameters } = readEnvelope(body);
  validatorOf(operation.parameters)(parameters, 'parameters');
  const fingerprint = String(parameters['fingerprint']).toLowerCase();
  return { operation, organizationId, timestampMs, dryRun, fingerprint };
}

/**
 * The request as it is to be carried out: tried only where its signed body or its header says so. What
 * the body says cannot be taken away by leaving out the header. Raises `dry_run_contradicted`.
 */
export function withDryRun(request: Request, said: boolean | undefined): Request {
  const { dryRun: header } = request;
  if (said !== undefined && header !== undefined && said !== header) {
    fail('dry_run_contradicted', { header: `\`${header}\``, body: `\`${said}\`` });
  }
  const dryRun = said ?? header ?? false;
  return { ...request, dryRun, prepares: request.prepares === true && !dryRun };
}

/** Refuses requests that are too old or from the future. Raises `timestamp_too_old`, `timestamp_in_future`. */
export function checkLiveness(timestampMs: number, ports: Pick<Ports, 'clock' | 'liveness'>): void {
  const ageMs = ports.clock() - timestampMs;
  const { maximumAgeMs, maximumAheadMs } = ports.liveness;
  const violation = [{ field: 'timestampMs', description: 'outside the accepted window' }];
  if (ageMs >= maximumAgeMs) {
    fail('timestamp_too_old', { ageMs, limitMs: maximumAgeMs }, violation);
  }
  if (-ageMs > maximumAheadMs) {
    fail('timestamp_in_future', { aheadMs: -ageMs, limitMs: maximumAheadMs }, violation);
  }
}

const validateEnvelope = compileValidator(
  object({
    type: text({ maximum: 100 }),
    timestampMs: decimal({ minimum: 0, maximum: 8_640_000_000_000_000 }),
    organizationId: text({ maximum: 36 }),
    parameters: object({}),
    generateAppProofs: optional(boolean()),
    dryRun: optional(boolean()),
  }),
);

function readEnvelope(body: JsonObject): {
  timestampMs: number;
  generatesAppProofs: boolean;
  dryRun: boolean | undefined;
  parameters: JsonObject;
} {
  const { parameters, dryRun } = body;
  if (parameters !== undefined && !isJsonObject(parameters)) {
    failField('parameters', 'expected an object');
  }
  validateEnvelope({ ...body, ...(parameters === undefined ? {} : { parameters: {} }) }, '');
  return {
    timestampMs: Number(body['timestampMs']),
    generatesAppProofs: body['generateAppProofs'] === true,
    dryRun: typeof dryRun === 'boolean' ? dryRun : undefined,
    // Clients that spread their input leave the top-level switch inside the parameters too.
    parameters: withoutMember(parameters ?? {}, 'generateAppProofs'),
  };
}

function withoutMember(value: JsonObject, name: string): JsonObject {
  if (!Object.hasOwn(value, name)) return value;
  return Object.fromEntries(Object.entries(value).filter(([member]) => member !== name));
}

function versionOf(
  body: JsonObject,
  versions: ReadonlyMap<string, ActivityVersion>,
): ActivityVersion {
  const version = versions.get(requireType(body, [...versions.keys()]));
  assert(version !== undefined, 'a type that is accepted has a version');
  return version;
}

function requireType(body: JsonObject, accepted: readonly string[]): string {
  const { type } = body;
  if (type === undefined) {
    fail('field_missing', { field: 'type' }, [{ field: 'type', description: 'missing field' }]);
  }
  if (typeof type === 'string' && accepted.includes(type)) return type;
  const expected = accepted.join(' or ');
  const got = typeof type === 'string' ? type.slice(0, 100).toWellFormed() : typeof type;
  return fail('activity_type_mismatch', { expected, got }, [
    { field: 'type', description: `expected ${expected}` },
  ]);
}
