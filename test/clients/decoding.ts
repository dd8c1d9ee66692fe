// Decodes the answers of all operations with a client that has strict types. Such a client fails if a
// declared member is missing, or if a value is unknown to it.

import assert from 'node:assert/strict';
import { operationsOfFamily } from '../support/family_operations.ts';
import type { OperationAnswer } from './answers.ts';

/** A decoder reads every answer, and returns those that it could not decode. */
export type DecoderInput = readonly OperationAnswer[];
export type DecoderOutput = readonly { readonly operation: string; readonly reason: string }[];

/**
 * Operations of the API family whose answers the strictest package cannot decode, by the reason. No package
 * knows the operations that only Keywright has.
 */
const known: Readonly<Record<string, string>> = {
  'the package has them not, or under another name':
    'delete_velocity_control get_earn_claim_rewards_status get_organization get_velocity_control' +
    ' list_earn_rewards list_tvc_quorum_keys list_velocity_controls',
  'the package spells its type otherwise in answers than in requests': 'eth_undelegate_7702',
  'no hardware runs deployments here, and an address without a digest has none':
    'get_app_status get_tvc_app list_tvc_apps validate_tvc_image',
};

/** Their names, sorted. */
export const undecodable = Object.values(known).join(' ').split(' ').toSorted();

/**
 * Fails with the operations that were added to or removed from this list, and the reasons of the decoder.
 */
export function judgeDecoder(output: DecoderOutput): void {
  const family = operationsOfFamily();
  const failed = output.filter(({ operation }) => family.includes(operation));
  const reasons = failed
    .filter(({ operation }) => !undecodable.includes(operation))
    .map(({ operation, reason }) => `${operation}: ${reason}`);
  assert.deepEqual(
    [...new Set(failed.map(({ operation }) => operation))].toSorted(),
    undecodable,
    ['operations that cannot be decoded', ...reasons].join('\n'),
  );
}
