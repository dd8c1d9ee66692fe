// The next step after a failed request, as a sentence with a command to type.

import { Refused, RequestFailed } from '../../client/errors.ts';
import { type ErrorCode, errors } from '../../core/errors/errors.ts';
import { quoted } from '../files/files.ts';

/**
 * Next steps by error, specific errors before general ones. `{word}` is replaced by the value of that
 * placeholder in the sentence of the error, and `HELP` by the help command of the typed command.
 */
export const nextSteps = {
  body_too_large: 'Send less in one request; docs/limits.md lists the bounds.',
  body_malformed: 'Compare the versions: keywright doctor',
  transaction_type_unsupported: 'Give one of the named types: HELP',
  transaction_invalid: 'Give the bytes of an unsigned transaction in hex: HELP',
  timestamp_too_old: 'Set the clock of this machine; keywright doctor compares it.',
  timestamp_in_future: 'Set the clock of this machine; keywright doctor compares it.',
  operation_unknown: 'Compare the versions: keywright doctor',
  organization_not_found: 'keywright status shows the organization of the profile.',
  organization_id_malformed: 'Give the UUID of the organization; keywright status shows it.',
  api_key_expired: 'Log in with another key: keywright login --with FILE',
  public_key_not_found: 'Log in with a key of this organization: keywright login --with FILE',
  session_expired: 'Log in again: keywright login',
  session_read_only: 'Log in with a key: keywright login --with FILE',
  session_scope_denies: 'Log in with a key: keywright login --with FILE',
  login_disabled: 'A member of the root quorum enables it: keywright org feature set {feature}',
  address_lockout: 'keywright api get_ip_allowlist shows the rules; add one for this address.',
  address_not_allowed:
    'Send the request from an allowed network. The root quorum changes the allowlist.',
  frozen: 'The root quorum lifts the freeze: keywright api delete_freeze --freeze-id {freezeId}',
  activity_decided: 'keywright activity list --status waiting lists the waiting activities.',
  activity_fingerprint_unknown:
    'keywright activity list --status waiting lists the waiting activities.',
  activity_not_found: 'keywright activity list prints the ids of the newest activities.',
  activity_without_submitter: 'Reject it: keywright activity reject ID',
  label_not_unique: 'Give another name, or rename or delete the resource that has this name.',
  already_exists: 'Use the existing one, or give another value: HELP',
  policy_expression_invalid: 'keywright policy check FILE marks the place in an expression.',
  limit_exceeded: 'Delete unused resources; docs/limits.md lists the limits.',
  user_without_credential: 'Give the user a key: keywright user create NAME --key-file FILE',
  wallet_account_not_exported: 'Export the wallet first: keywright export wallet NAME --to FILE',
  not_exported: 'Export it first, or allow the deletion without an export: HELP',
  email_sending_disabled:
    'The operator sets KEYWRIGHT_SMTP_URL; docs/configuration.md explains it.',
  sms_sending_disabled: 'The operator sets KEYWRIGHT_SMS_URL; docs/configuration.md explains it.',
  otp_limit_reached: 'Wait until the sent codes expire, then request another code.',
  sends_exceeded: 'Wait until a sent transaction is final: keywright activity list',
  signing_resource_not_found: 'keywright wallet account list WALLET prints the addresses.',
  velocity_control_in_use: 'keywright policy show {policyId} prints the policy that reads it.',
  address_label_in_use: 'keywright policy show {policyId} prints the policy that reads it.',
} as const satisfies Readonly<Partial<Record<ErrorCode, string>>>;

/** Commands that list resources, by the `resource` of the error `resource_not_found`. */
const lists: Readonly<Record<string, string>> = {
  policy: 'keywright policy list',
  'private key': 'keywright key list',
  secret: 'keywright secret list',
  user: 'keywright user list',
  wallet: 'keywright wallet list',
};

/** Returns the next step after an error; undefined for other errors. `words`: the typed command. */
export function nextStep(error: unknown, words: readonly string[]): string | undefined {
  if (!(error instanceof RequestFailed || error instanceof Refused)) return undefined;
  const help = `keywright ${words.map(quoted).join(' ')} --help`;
  for (const [code, step] of Object.entries(nextSteps)) {
    const found = wordsIn(error.message, code as ErrorCode);
    if (found !== undefined) return filled(step, found, help);
  }
  const { resource = '', id } = wordsIn(error.message, 'resource_not_found') ?? {};
  if (id !== undefined && Object.hasOwn(lists, resource))
    return `${lists[resource]} prints the ids.`;
  const [field] = error.fields;
  if (field !== undefined) return `Change ${field.field}: ${field.description}. See ${help}`;
  if (error.status === 400) return `Change the request as the message describes. See ${help}`;
  return undefined;
}

/** Returns the placeholder values of a message; undefined if it is not the sentence of this error. */
function wordsIn(message: string, code: ErrorCode): Readonly<Record<string, string>> | undefined {
  const pattern = errors[code].sentence
    .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\{(\w+)\}/g, '(?<$1>.*)');
  const found = new RegExp(`^(?:.*: )?${pattern}$`, 's').exec(message);
  return found === null ? undefined : { ...found.groups };
}

/** Each value is one word of the command, because the service chooses it. */
const filled = (step: string, words: Readonly<Record<string, string>>, help: string): string =>
  step.replaceAll(/HELP|\{(\w+)\}/g, (_, word?: string) =>
    word === undefined ? help : quoted(words[word] ?? ''),
  );
