import type { Submits } from '../../../client/generated/operations.ts';
import { findSigner, withOption } from '../../accounts/signers.ts';
import { command } from '../../command_line/command.ts';
import { readSource } from '../../files/inputs.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { chosen } from '../../words/choices.ts';
import { usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

type Parameters = Submits['sign_raw_payload']['parameters'];

const encodings: Readonly<Record<string, Parameters['encoding']>> = {
  hex: 'PAYLOAD_ENCODING_HEXADECIMAL',
  text: 'PAYLOAD_ENCODING_TEXT_UTF8',
};
const hashes: Readonly<Record<string, Parameters['hashFunction']>> = {
  sha256: 'HASH_FUNCTION_SHA256',
  keccak256: 'HASH_FUNCTION_KECCAK256',
  none: 'HASH_FUNCTION_NO_OP',
};

export default command({
  summary: 'Signs bare bytes or a digest, with nothing before them.',
  reach: 'submits',
  arguments: [
    { name: 'payload', summary: 'Hex digits, or - for the bytes of the standard input.' },
  ],
  options: {
    with: withOption,
    encoding: option('KIND', 'hex, the default, or text.'),
    hash: option(
      'NAME',
      'sha256, keccak256, or none if the payload is a digest; Ed25519 takes no hash.',
    ),
  },
  examples: {
    'sign payload 68656c6c6f --with shop/ethereum --hash keccak256':
      'Signs the Keccak-256 of five bytes.',
    'sign payload hello --encoding text --with shop/solana': 'Signs with Ed25519.',
  },
  run: async ({ arguments: { payload: typed }, options, output, terminal, service }) => {
    const { algorithmOf } = await import('../../signing/algorithms.ts');
    const given = await payloadOf(typed, options.encoding, terminal);
    const { client, submit } = await service();
    const signer = await findSigner(client, options.with, { does: 'signs', fits: () => true });
    const { signWith, address } = signer;
    const { algorithm, publicKey } = algorithmOf(signer);
    const request = { ...given, hashFunction: hashOf(algorithm, options.hash) };
    const result = await submit('sign_raw_payload', { signWith, ...request });
    if (result === undefined) return;
    const { r, s, v } = result;
    output.thing(
      { r, s, v, Signer: address ?? signWith },
      {
        document: { standard: 'payload', ...request, algorithm, publicKey, r, s, v },
        ids: [`${r}${s}${v}`],
      },
    );
  },
});

async function payloadOf(typed: string, encodingName = 'hex', terminal: Terminal) {
  if (typed !== '-') {
    return { payload: typed, encoding: chosen(encodings, encodingName, '--encoding') };
  }
  const payload = Buffer.from(await readSource('-', terminal)).toString('hex');
  return { payload, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' as const };
}

/** Ed25519 includes its hash function; other algorithms need `--hash`. */
function hashOf(algorithm: string, name: string | undefined): Parameters['hashFunction'] {
  if (algorithm === 'Ed25519') {
    if (name === undefined) return 'HASH_FUNCTION_NOT_APPLICABLE';
    throw usage('--hash is not for Ed25519, which hashes the payload itself');
  }
  if (name === undefined) {
    throw usage('--hash is missing', 'sha256, keccak256, or none if the payload is a digest.');
  }
  return chosen(hashes, name, '--hash');
}
