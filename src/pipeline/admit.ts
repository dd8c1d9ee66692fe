// First step of a submit: what is asked, in which organization, and is it of the right form.

import { fail, failField } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/schema/json.ts';
import { boolean, decimal, object, optional, text } from '../core/schema/schema.ts';
import { compileValidator, type Validator } from '../core/schema/validator.ts';
import type { ActivityOperation, Wire } from '../operations/operation.ts';
import { organizationIdOf, parseBody } from './parse_body.ts';
import type { Fingerprint, Ports, Request } from './ports.ts';

export type AdmittedActivity = {
  readonly operation: ActivityOperation;
  readonly version: ActivityVersion;
  readonly organizationId: string;
  readonly timestampMs: number;
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
    upgrade: same,
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
export function admit(
  request: Request,
  operation: ActivityOperation,
  versions: ReadonlyMap<string, ActivityVersion>,
  ports: Pick<Ports, 'sha256'>,
): AdmittedActivity {
  const body = parseBody(request.body);
  const organizationId = organizationIdOf(body);
  const version = versionOf(body, versions);
  const { timestampMs, parameters } = readEnvelope(body);
  version.validate(parameters, 'parameters');
  return {
    operation,
    version,
    organizationId,
    timestampMs,
    submitted: parameters,
    parameters: version.upgrade(parameters),
    fingerprint: {
      digest: ports.sha256(request.body),
      // The finest there is: equal bodies meet in it, and others hardly ever.
      bucket: timestampMs,
    },
  };
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
  }),
);

function readEnvelope(body: JsonObject): { timestampMs: number; parameters: JsonObject } {
  const { parameters } = body;
  if (parameters !== undefined && !isJsonObject(parameters)) {
    failField('parameters', 'expected an object');
  }
  validateEnvelope({ ...body, ...(parameters === undefined ? {} : { parameters: {} }) }, '');
  return {
    timestampMs: Number(body['timestampMs']),
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
  const { type } = body;
  if (type === undefined) {
    fail('field_missing', { field: 'type' }, [{ field: 'type', description: 'missing field' }]);
  }
  const version = typeof type === 'string' ? versions.get(type) : undefined;
  if (version !== undefined) return version;
  const expected = [...versions.keys()].join(' or ');
  const got = typeof type === 'string' ? type.slice(0, 100).toWellFormed() : typeof type;
  return fail('activity_type_mismatch', { expected, got }, [
    { field: 'type', description: `expected ${expected}` },
  ]);
}
