import { findSigner, withOption } from '../../accounts/signers.ts';
import { command } from '../../command_line/command.ts';
import { readTyped } from '../../files/inputs.ts';

export default command({
  summary: 'Signs a message as verifiers of its chain expect it.',
  reach: 'submits',
  arguments: [
    { name: 'text', summary: 'The message; - reads it from the standard input, byte by byte.' },
  ],
  options: { with: withOption },
  examples: {
    'sign message hello --with shop': 'Signs with the one account that fits.',
    'sign message hello --with shop/ethereum': 'Signs with the prefix of EIP-191.',
    'sign message - --with shop/solana --json':
      'Signs the standard input, and prints a document for verify message.',
  },
  moreHelp: async () => [
    '',
    'Ethereum signs by EIP-191, TRON by TIP-191, Bitcoin by BIP-137, and Solana the',
    'bytes as they are. For other chains use sign payload.',
  ],
  run: async ({ arguments: { text }, options, output, terminal, service }) => {
    const { messageStandardOf } = await import('../../signing/message_standards.ts');
    const { messageMembers } = await import('../../signing/signature_document.ts');
    const message = await readTyped(text, terminal);
    const { client, submit } = await service();
    const {
      signWith,
      address = '',
      addressFormat = '',
    } = await findSigner(client, options.with, {
      does: 'signs messages',
      fits: (signer) => messageStandardOf(signer.addressFormat) !== undefined,
    });
    const standard = messageStandardOf(addressFormat);
    // A signer that fits has a standard and an address.
    if (standard === undefined) return;
    const result = await submit('sign_raw_payload', { signWith, ...standard.request(message) });
    if (result === undefined) return;
    const signature = standard.write(result);
    const document = {
      standard: standard.name,
      ...messageMembers(message),
      address,
      addressFormat,
      signature,
    };
    output.thing(
      { Signature: signature, Address: address, Standard: standard.name },
      { document, ids: [signature] },
    );
  },
});
