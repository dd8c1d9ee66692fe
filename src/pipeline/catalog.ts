// Finds the operations that create activities or vote, by name and by activity type.

import { assert } from '../core/errors/errors.ts';
import { unknownOperation } from '../core/errors/unknown_operation.ts';
import type { JsonObject } from '../core/schema/json.ts';
import type { TSchema } from '../core/schema/schema.ts';
import { memberNamesOf } from '../core/schema/unknown_members.ts';
import { compileValidator, type Validator } from '../core/schema/validator.ts';
import type { ActivityOperation, VoteOperation } from '../operations/operation.ts';
import type { Wire } from '../operations/wire.ts';

/** One activity type of an operation, ready to check and map parameters. */
export type ActivityVersion = {
  readonly wire: Wire;
  readonly schema: TSchema;
  readonly validate: Validator;
  readonly upgrade: (parameters: JsonObject) => JsonObject;
  readonly downgrade: (result: JsonObject) => JsonObject;
};

type ActivityVersions = ReadonlyMap<string, ActivityVersion>;

export type Catalog = {
  /** Returns the operation of this name. Raises `operation_unknown`. */
  operation(name: string): ActivityOperation | VoteOperation;
  /** Returns the operation of a stored activity of this type. */
  operationOfType(type: string): ActivityOperation;
  /** Returns the activity types that the path of an operation accepts, compiled once. */
  versions(operation: ActivityOperation): ActivityVersions;
  /** The names of all members that operations know. */
  readonly memberNames: ReadonlySet<string>;
};

/** Creates the catalog of these operations, by name. */
export function createCatalog(
  activities: Readonly<Record<string, ActivityOperation>>,
  votes: Readonly<Record<string, VoteOperation>>,
): Catalog {
  const compiled = new Map<ActivityOperation, ActivityVersions>();
  const byType = new Map(
    Object.values(activities).flatMap((operation) =>
      [operation, ...operation.older].map(({ wire }) => [wire.type, operation] as const),
    ),
  );
  return {
    operation: (name) => {
      const operation = activities[name] ?? votes[name];
      if (operation !== undefined) return operation;
      throw unknownOperation(name, [...Object.keys(activities), ...Object.keys(votes)]);
    },
    operationOfType: (type) => {
      const operation = byType.get(type);
      assert(operation !== undefined, 'a stored activity has a type that was accepted');
      return operation;
    },
    memberNames: memberNamesOf([
      ...Object.values(activities).flatMap(({ parameters, older }) => [
        parameters,
        ...older.map((version) => version.parameters),
      ]),
      ...Object.values(votes).map(({ parameters }) => parameters),
    ]),
    versions: (operation) =>
      compiled.getOrInsertComputed(operation, () => compileVersions(operation)),
  };
}

function compileVersions(operation: ActivityOperation): ActivityVersions {
  const same = (value: JsonObject) => value;
  const newest: ActivityVersion = {
    wire: operation.wire,
    schema: operation.parameters,
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
        schema: older.parameters,
        validate: compileValidator(older.parameters),
        upgrade: older.upgrade,
        downgrade: older.downgrade ?? same,
      },
    ]),
  ]);
}
