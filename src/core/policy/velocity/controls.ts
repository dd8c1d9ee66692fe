// Creates and deletes velocity controls. A control that a policy reads cannot be deleted.

import { timestampsOf } from '../../base/compatibility.ts';
import type { Context } from '../../base/context.ts';
import { fail, failField } from '../../errors/errors.ts';
import { checkLimit } from '../../organization/limits.ts';
import type {
  ActivityFilter,
  Aggregation,
  DataSource,
  VelocityControl,
} from '../../organization/records/velocity_controls.ts';
import { requiredRecord } from '../../organization/required_record.ts';
import type { OrganizationDraft } from '../../organization/state.ts';
import { activityKinds, kindOfType } from '../activity_kinds.ts';
import { identifiersIn, isChosenName } from '../language/controls_read.ts';
import { assetExamples, assetOf } from './assets.ts';
import { decimalOf, decimalWords } from './decimal.ts';

/** Parameters of a control. */
export type ControlParameters = Pick<
  VelocityControl,
  'name' | 'identifier' | 'dataSource' | 'aggregation'
>;

/** 366 days. Longer limits need an infinite window. */
const maximumWindowSeconds = 31_622_400;
const maximumDecimals = 255;
export const maximumIdentifierCharacters = 64;

/** Finds a control by its ID in any letter case. Raises `resource_not_found`. */
export const requireControl = requiredRecord('velocity_control', 'velocity control');

/** Creates a control. Raises `field_invalid`, `label_not_unique` and `limit_exceeded`. */
export function createControl(
  parameters: ControlParameters,
  organization: OrganizationDraft,
  context: Context,
): VelocityControl {
  const { name, identifier, dataSource, aggregation } = parameters;
  const others = organization.list('velocity_control');
  checkLimit('velocityControls', others.length + 1, organization);
  checkIdentifier(identifier);
  if (others.some((other) => other.identifier === identifier)) {
    fail('label_not_unique', { resource: 'velocity control', label: identifier });
  }
  checkDataSource(dataSource, aggregation);
  checkAggregation(aggregation);
  const times = { createdAtMs: context.now, updatedAtMs: context.now };
  const created = { id: context.newId(), name, identifier, dataSource, aggregation, ...times };
  organization.put('velocity_control', created);
  return created;
}

/**
 * Deletes a control with its counts. Raises `resource_not_found`, and `velocity_control_in_use` while a
 * policy reads it.
 */
export function deleteControl(id: string, organization: OrganizationDraft): VelocityControl {
  const control = requireControl(organization, id);
  const reader = organization
    .list('policy')
    .find(({ condition }) => identifiersIn(condition).includes(control.identifier));
  if (reader !== undefined) {
    fail('velocity_control_in_use', { identifier: control.identifier, policyId: reader.id });
  }
  organization.remove('velocity_control', control.id);
  for (const counter of organization.list('velocity_counter')) {
    if (counter.controlId === control.id) organization.remove('velocity_counter', counter.id);
  }
  return control;
}

/** Returns the API form of a control. */
export function controlView(control: VelocityControl, organizationId: string) {
  const { id, name, identifier, dataSource, aggregation } = control;
  return {
    velocityControlId: id,
    organizationId,
    name,
    identifier,
    dataSource,
    aggregation,
    ...timestampsOf(control),
  };
}

function checkIdentifier(identifier: string): void {
  if (isChosenName(identifier)) return;
  failField(
    'parameters.identifier',
    'expected a name for policies: letters, digits and `_`, no digit first, and no word of the language',
  );
}

function checkDataSource(dataSource: DataSource, { method }: Aggregation): void {
  const field = 'parameters.dataSource';
  const { chainAssetTransfer, activityExecution } = dataSource;
  requireOne(dataSource, ['chainAssetTransfer', 'activityExecution'], field);
  if (activityExecution !== undefined) {
    checkFilter(activityExecution.filter, `${field}.activityExecution`);
    if (method === 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT') return;
    failField('parameters.aggregation.method', 'expected the method COUNT for activity executions');
  }
  if (chainAssetTransfer === undefined) return;
  const inside = `${field}.chainAssetTransfer`;
  const { definition, filter, phase } = chainAssetTransfer;
  checkFilter(filter, inside);
  if (phase !== undefined) requireOne(phase, ['signature', 'submission'], `${inside}.phase`);
  if (phase?.submission !== undefined) {
    failField(`${inside}.phase.submission`, 'expected `signature`: transfers count when signed');
  }
  const known = new Set<string>();
  for (const [i, { caip19, decimals }] of definition.entries()) {
    const place = `${inside}.definition.${i}`;
    const asset = assetOf(caip19);
    if (asset === undefined) {
      const examples = assetExamples.join(', ');
      failField(`${place}.caip19`, `expected a CAIP-19 asset such as ${examples}`);
    }
    const key = `${asset.chain}/${asset.token}`;
    if (known.has(key)) failField(`${place}.caip19`, 'expected each asset once');
    checkInteger(decimals, { minimum: 0, maximum: maximumDecimals }, `${place}.decimals`);
    known.add(key);
  }
}

function checkFilter(filter: ActivityFilter | undefined, inside: string): void {
  for (const [i, { activityType }] of (filter?.activity ?? []).entries()) {
    const kind = kindOfType(activityType);
    if (activityKinds.some(({ name }) => name === kind)) continue;
    failField(`${inside}.filter.activity.${i}.activityType`, 'expected a known activity type');
  }
}

function checkAggregation({ threshold, window, groupBy }: Aggregation): void {
  const field = 'parameters.aggregation';
  if (decimalOf(threshold) === undefined)
    failField(`${field}.threshold`, `expected ${decimalWords}`);
  requireOne(window, ['rolling', 'infinite'], `${field}.window`);
  if (window.rolling !== undefined) {
    const bounds = { minimum: 1, maximum: maximumWindowSeconds };
    checkInteger(window.rolling.duration, bounds, `${field}.window.rolling.duration`);
  }
  requireOne(groupBy, ['organization', 'user', 'wallet'], `${field}.groupBy`);
}

function checkInteger(
  text: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  field: string,
): void {
  const isIn =
    /^(0|[1-9][0-9]{0,9})$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
  if (!isIn)
    failField(field, `expected an integer from ${minimum} to ${maximum} in decimal digits`);
}

function requireOne(given: object, names: readonly string[], field: string): void {
  const found = Object.values(given).filter((value) => value !== undefined);
  if (found.length !== 1) failField(field, `expected exactly one of ${names.join(', ')}`);
}
