import { command } from '../../command_line/command.ts';
import { readSource } from '../../files/inputs.ts';
import { failVerification, objectIn, showVerified } from '../../output/verified.ts';

export default command({
  summary: 'Verifies the output of sign --json offline.',
  reach: 'local',
  arguments: [
    {
      name: 'file',
      summary: 'Output of keywright sign message --json. Default: the standard input.',
      count: 'optional',
    },
  ],
  examples: {
    'verify message signature.json': 'Reports a valid signature, or exits with 9.',
    'verify message --json': 'Reads the standard input and prints {"verified"}.',
  },
  run: async ({ arguments: { file = '-' }, output, terminal }) => {
    const bytes = await readSource(file, terminal);
    const document = objectIn(bytes, file, 'the output of keywright sign message --json');
    const { verifySignature } = await import('../../signing/verify_signature.ts');
    const result = await verifySignature(document);
    if (!result.verified) failVerification(output, 'signature_invalid', result.reason);
    const { standard, signer } = result;
    showVerified(output, { Signer: signer, Standard: standard }, { standard, signer });
  },
});
