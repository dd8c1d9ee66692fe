import type { Activity, Queries } from '../../../client/generated/operations.ts';
import type { AppProof } from '../../../client/proofs.ts';
import { command } from '../../command_line/command.ts';
import { readSource } from '../../files/inputs.ts';
import { failVerification, objectIn, requireTrusted, showVerified } from '../../output/verified.ts';
import { pinKeys } from '../../profiles/pins.ts';
import { option } from '../../words/options.ts';
import { timeText } from '../../words/times.ts';

export default command({
  summary: 'Verifies app proofs of an activity under the pinned attestation key.',
  reach: 'reads',
  arguments: [
    {
      name: 'file',
      summary:
        'An activity with its proofs, or the output of api list_app_proofs. Default: the standard input.',
      count: 'optional',
    },
  ],
  options: {
    'boot-proof': option(
      'FILE',
      'Output of api get_boot_proof. Default: fetched from the service.',
    ),
    key: option(
      'HEX',
      'Attestation key of the service, as keywright keys prints it. Default: the pinned key.',
    ),
  },
  examples: {
    'verify proof proofs.json': 'Asks the service for its boot proof.',
    'verify proof proofs.json --boot-proof boot.json --key 04…': 'Verifies without a network.',
  },
  run: async ({ arguments: { file = '-' }, options, output, terminal, service }) => {
    const document = objectIn(
      await readSource(file, terminal),
      file,
      'an activity or a list of proofs',
    );
    const activity = (document['activity'] ?? undefined) as Activity | undefined;
    const listed = activity?.appProofs ?? document['appProofs'];
    const proofs = Array.isArray(listed) ? (listed as readonly AppProof[]) : [];
    if (proofs.length === 0) failVerification(output, 'PROOF_INVALID', 'it has no proof');
    const { key, 'boot-proof': bootFile } = options;
    const bootProof =
      bootFile === undefined
        ? undefined
        : (objectIn(
            await readSource(bootFile, terminal),
            bootFile,
            'the output of keywright api get_boot_proof',
          ) as unknown as Queries['get_boot_proof']['result']);
    const asked = key === undefined || bootProof === undefined ? await service() : undefined;
    if (key === undefined && asked !== undefined) await pinKeys(asked, terminal, output);
    const source = {
      ...asked?.client,
      ...(key === undefined ? {} : { serviceKeys: async () => ({ attestation: key }) }),
      ...(bootProof === undefined ? {} : { query: async () => bootProof }),
    } as Parameters<typeof verifyAppProof>[0];
    const { verifyAppProof } = await import('../../../client/proofs.ts');
    const payloads = [];
    for (const proof of proofs) {
      payloads.push(await requireTrusted(output, verifyAppProof(source, proof, activity)));
    }
    const [first] = payloads;
    // One file may contain the proofs of several activities.
    const distinct = (texts: readonly string[]) => [...new Set(texts)].join(' ');
    showVerified(
      output,
      {
        Proofs: payloads.map(({ type }) => type).join(' '),
        Activity: distinct(payloads.map(({ activity: { id } }) => id)),
        Organization: distinct(payloads.map(({ activity: of }) => of.organizationId)),
        Made: timeText({ seconds: Number(first?.timestampMs) / 1000 }),
      },
      { proofs: payloads },
    );
  },
});
