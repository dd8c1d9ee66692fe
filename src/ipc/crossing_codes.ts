import type { ErrorCode } from '../core/errors/errors.ts';

/** Error codes that may cross the link; the other side sees all others as `internal`. */
const crossingCodes: readonly ErrorCode[] = [
  'overloaded',
  'store_unavailable',
  'enclave_unavailable',
  'root_key_mismatch',
  'root_key_rotating',
  'deployment_missing',
  'custody_missing',
  'rule_unknown',
  'anchor_mismatch',
  'log_older_than_anchor',
  'log_differs_from_anchor',
  'log_anchor_unreadable',
  'witnesses_unanswered',
  'answer_too_large',
];

/** Returns the code if it may cross the link, and undefined for any other text. */
export function crossingCode(text: string): ErrorCode | undefined {
  return crossingCodes.find((code) => code === text);
}
