import type { PolicyDecision } from '../../../receipts/policy_decisions.ts';
import type { VerifiedBoot } from '../../../receipts/verify_boot.ts';
import type { VerifiedVote } from '../../../receipts/verify_receipt.ts';
import { command } from '../../command_line/command.ts';
import { readSource } from '../../files/inputs.ts';
import { failVerification, showVerified } from '../../output/verified.ts';
import { usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Verifies the receipt of an activity without a network.',
  reach: 'local',
  arguments: [
    {
      name: 'file',
      summary: 'Output of api get_receipt. Default: the standard input.',
      count: 'optional',
    },
  ],
  options: {
    trust: option('FILE', 'Policy file with the trusted logs and witnesses; see docs/receipts.md.'),
  },
  examples: {
    'verify receipt receipt.json --trust policy.txt':
      'Shows the request, its user, and its position in the log.',
  },
  run: async ({ arguments: { file = '-' }, options: { trust }, output, terminal }) => {
    if (trust === undefined) {
      throw usage('--trust names the policy', 'keywright verify receipt --help');
    }
    const receipt = textOf(await readSource(file, terminal), file);
    const policy = textOf(await readSource(trust, terminal), trust);
    const { verifyReceipt } = await import('../../../receipts/verify_receipt.ts');
    const verified = (() => {
      try {
        return verifyReceipt(receipt, policy);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return failVerification(output, 'RECEIPT_INVALID', reason);
      }
    })();
    const { entry, activity, log, index, size, witnesses, boot, cannotShow } = verified;
    showVerified(
      output,
      {
        Activity: entry.activityId,
        Organization: entry.organizationId,
        Type: activity?.type ?? 'not in the receipt',
        Status: entry.status,
        At: timeText({ seconds: entry.atMs / 1000 }),
        Votes: activity?.votes.map(voteText).join('; ') ?? 'not in the receipt',
        Policies: policiesText(activity?.decisions),
        Log: log,
        Entry: `${index} of ${size}, number ${entry.number} of the organization`,
        Enclave: enclaveText(boot),
        Witnesses: witnesses.length === 0 ? 'none' : witnesses.join(' '),
        'Does not show': cannotShow.join('; '),
      },
      { ...verified },
    );
  },
});

function voteText({ userId, selection, publicKey, isSignatureVerified }: VerifiedVote): string {
  const cast = selection.replace('VOTE_SELECTION_', '').toLowerCase();
  const unverified = isSignatureVerified ? '' : ', signature not verified';
  return `${userId} ${cast} by key ${publicKey}${unverified}`;
}

/** Returns the program and the start of the run that appended the entry, as its boot statement names them. */
function enclaveText(boot: VerifiedBoot | undefined): string {
  if (boot === undefined) return 'not in the receipt';
  const { version, sourcesDigest, startedAtMs } = boot.statement;
  const since = timeText({ seconds: Number(startedAtMs) / 1000 });
  return `version ${version}, program ${sourcesDigest}, started ${since}`;
}

/** Returns the outcomes of the last decision; `--json` prints all decisions with the policy texts. */
function policiesText(decisions: readonly PolicyDecision[] | undefined): string {
  if (decisions?.length === 0) return 'none decided';
  const { policies } = decisions?.at(-1) ?? {};
  if (policies === undefined) return 'not in the receipt';
  return policies.map(({ policyId, outcome }) => `${policyId} ${outcome}`).join('; ');
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage(`${file} is not text`);
  }
}
