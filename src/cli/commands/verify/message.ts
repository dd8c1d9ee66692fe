import { command } from '../../command.ts';
import { Failure, usage } from '../../failures.ts';
import { readSource } from '../../inputs.ts';

export default command({
  words: 'verify message',
  summary: 'Verifies what sign --json printed, without asking the service.',
  reach: 'local',
  arguments: [
    {
      name: 'file',
      summary: 'What keywright sign message --json printed; the standard input if left out.',
      count: 'optional',
    },
  ],
  examples: [
    {
      type: 'verify message signature.json',
      does: 'Says whether the signature is good, or ends with 9.',
    },
    { type: 'verify message --json', does: 'Reads the standard input and prints {"verified"}.' },
  ],
  run: async ({ arguments: { file = '-' }, output, terminal }) => {
    const document = documentOf(await readSource(file, terminal), file);
    const { verifySignature } = await import('../../signing/verify_signature.ts');
    const result = await verifySignature(document);
    if (result.verified) {
      const { standard, signer } = result;
      output.thing(
        { Verified: 'yes', Signer: signer, Standard: standard },
        { document: result, ids: [signer] },
      );
      return;
    }
    if (output.json) output.thing({}, { document: result, ids: [] });
    throw new Failure({
      exit: 'not_verified',
      code: 'signature_invalid',
      message: `Not verified: ${result.reason}.`,
    });
  },
});

function documentOf(bytes: Uint8Array, file: string): Readonly<Record<string, unknown>> {
  const source = file === '-' ? 'the standard input' : file;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Said below, for texts that are no object too.
  }
  throw usage(`${source} is not what keywright sign message --json prints`);
}
