import { command } from '../../command_line/command.ts';
import { verifyTimestamp } from '../../evidence/timestamp.ts';
import { type VerifiedEvidence, verifyEvidence } from '../../evidence/verify.ts';
import { readFileBounded } from '../../files/files.ts';
import { readSource } from '../../files/inputs.ts';
import { failVerification, showVerified } from '../../output/verified.ts';
import { flag, option } from '../../words/options.ts';
import { timeText } from '../../words/times.ts';

const maximumArchiveBytes = 512 * 1024 * 1024;

export default command({
  summary: 'Verifies an archive of evidence without a network.',
  reach: 'local',
  arguments: [{ name: 'file', summary: 'The archive that keywright evidence wrote.' }],
  options: {
    trust: option('FILE', 'Policy file with the trusted logs and witnesses, for the receipts.'),
    'timestamp-certificate': option(
      'FILE',
      'Certificate (PEM) of the time stamp server, or of its issuer.',
    ),
    'allow-missing-receipts': flag(
      'With --trust: accepts activities without a receipt, and counts them.',
    ),
  },
  examples: {
    'verify evidence evidence.tar --trust policy.txt': 'Verifies digests, votes and receipts.',
  },
  run: async ({ arguments: { file }, options, output, terminal }) => {
    const { trust, 'timestamp-certificate': certificate } = options;
    const archive = await readFileBounded(file, maximumArchiveBytes);
    const textOf = async (path: string) =>
      new TextDecoder().decode(await readSource(path, terminal));
    const policy = trust === undefined ? undefined : await textOf(trust);
    const trusted = certificate === undefined ? undefined : await textOf(certificate);
    const { evidence, stampedAtMs } = await checked(archive, policy, trusted).catch(
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        return failVerification(output, 'EVIDENCE_INVALID', reason);
      },
    );
    const { manifest, votes, uncheckedVotes, receipts, digestOnly, timestamp } = evidence;
    const missing = manifest.activities.filter((each) => each.withoutReceipt !== undefined);
    const without = missing.length;
    if (trust !== undefined && without > 0 && options['allow-missing-receipts'] !== true) {
      const [first] = missing;
      const place = `${without} of ${manifest.activities.length} activities, such as ${first?.activityId}`;
      const reason = `there is no receipt of ${place}; --allow-missing-receipts accepts that`;
      failVerification(output, 'RECEIPT_MISSING', reason);
    }
    const stamp = timestamp === undefined ? 'none' : 'not verified, see --timestamp-certificate';
    showVerified(
      output,
      {
        Organization: manifest.organizationId,
        Activities: manifest.activities.length,
        Votes: `${votes} verified, ${uncheckedVotes} not verifiable here`,
        Receipts: `${receipts ?? 'none'} verified, ${digestOnly} of them without the record, ${without} activities without one`,
        'Time stamp': stampedAtMs === undefined ? stamp : timeText({ seconds: stampedAtMs / 1000 }),
      },
      {
        organizationId: manifest.organizationId,
        votes,
        uncheckedVotes,
        receipts,
        digestOnly,
        withoutReceipt: without,
        stampedAtMs,
      },
    );
  },
});

async function checked(
  archive: Uint8Array,
  policy: string | undefined,
  trusted: string | undefined,
): Promise<{ readonly evidence: VerifiedEvidence; readonly stampedAtMs: number | undefined }> {
  const evidence = await verifyEvidence(archive, policy);
  if (trusted === undefined) return { evidence, stampedAtMs: undefined };
  const { timestamp, manifestBytes } = evidence;
  if (timestamp === undefined) throw new Error('the archive has no time stamp');
  return { evidence, stampedAtMs: verifyTimestamp(timestamp, manifestBytes, trusted) };
}
