// What a client with strict types makes of the answers of all operations. Such a client fails where a
// member that it declares is missing, and where a value is not among those that it knows.

import assert from 'node:assert/strict';
import type { OperationAnswer } from './answers.ts';

/** What a decoder reads: every answer; and what it writes: those that it could not decode. */
export type DecoderInput = readonly OperationAnswer[];
export type DecoderOutput = readonly { readonly operation: string; readonly reason: string }[];

/** Operations whose answers the strictest package cannot decode, by the reason. */
const known: Readonly<Record<string, string>> = {
  'no package has them, or their types':
    'delete_velocity_control explain_activity get_attestation get_auth_proxy_config get_organization' +
    ' get_policy_settings get_policy_warnings get_velocity_control list_velocity_controls' +
    ' list_webhook_deliveries redeliver_webhook_events rotate_webhook_key set_tvc_deployment_status' +
    ' update_policy_settings',
  'no hardware runs deployments here, and an address without a digest has none':
    'get_app_status get_tvc_app list_tvc_apps validate_tvc_image',
};

/** Their names, sorted. */
export const undecodable = Object.values(known).join(' ').split(' ').toSorted();

/** Fails with the operations that came, or went, and what the decoder said of them. */
export function judgeDecoder(output: DecoderOutput): void {
  const found = [...new Set(output.map(({ operation }) => operation))].toSorted();
  const reasons = output
    .filter(({ operation }) => !undecodable.includes(operation))
    .map(({ operation, reason }) => `${operation}: ${reason}`);
  assert.deepEqual(
    found,
    undecodable,
    ['operations that cannot be decoded', ...reasons].join('\n'),
  );
}
