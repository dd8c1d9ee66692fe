import { findSigner, withOption } from '../../accounts/signers.ts';
import { command } from '../../command_line/command.ts';
import { readSource } from '../../files/inputs.ts';
import { usage } from '../../words/failures.ts';

export default command({
  summary: 'Signs typed data of Ethereum (EIP-712).',
  reach: 'submits',
  arguments: [
    {
      name: 'file',
      summary: 'JSON with types, domain, primaryType and message; - reads the standard input.',
    },
  ],
  options: { with: withOption },
  examples: {
    'sign typed-data permit.json --with shop': 'Signs the data of a file.',
    'sign typed-data - --with shop/ethereum --json':
      'Signs the standard input, and prints a document for verify message.',
  },
  run: async ({ arguments: { file }, options, output, terminal, service }) => {
    const message = textOf(await readSource(file, terminal), file);
    const { client, submit } = await service();
    const {
      signWith,
      address = '',
      addressFormat = '',
    } = await findSigner(client, options.with, {
      does: 'signs typed data',
      fits: (signer) => signer.addressFormat === 'ADDRESS_FORMAT_ETHEREUM',
    });
    const result = await submit('sign_raw_payload', {
      signWith,
      payload: message,
      encoding: 'PAYLOAD_ENCODING_EIP712',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    });
    if (result === undefined) return;
    const signature = `0x${result.r}${result.s}${(27 + Number(result.v)).toString(16)}`;
    const document = {
      standard: 'EIP-712',
      message,
      messageEncoding: 'utf8',
      address,
      addressFormat,
      signature,
    };
    output.thing(
      { Signature: signature, Address: address, Standard: 'EIP-712' },
      { document, ids: [signature] },
    );
  },
});

function textOf(bytes: Uint8Array, file: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    JSON.parse(text);
    return text;
  } catch (error) {
    throw usage(`${file} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
