import { findSigner, withOption } from '../../accounts/signers.ts';
import { command } from '../../command_line/command.ts';
import { readSource } from '../../files/inputs.ts';
import { explanationLines } from '../../output/transactions.ts';
import { chosen } from '../../words/choices.ts';
import { usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

/** Transaction types by chain name, with the address formats that can sign them. */
const types: Readonly<Record<string, { readonly type: string; readonly formats: RegExp }>> = {
  ethereum: { type: 'TRANSACTION_TYPE_ETHEREUM', formats: /_ETHEREUM$/ },
  solana: { type: 'TRANSACTION_TYPE_SOLANA', formats: /_SOLANA$/ },
  bitcoin: { type: 'TRANSACTION_TYPE_BITCOIN', formats: /_BITCOIN_/ },
  tron: { type: 'TRANSACTION_TYPE_TRON', formats: /_TRON$/ },
  tempo: { type: 'TRANSACTION_TYPE_TEMPO', formats: /_ETHEREUM$/ },
};

export default command({
  summary: 'Shows the effects of a transaction, as the service explains them, and signs it.',
  reach: 'submits',
  arguments: [
    {
      name: 'file',
      summary: 'The unsigned transaction in hex, base64 or bytes; - reads the standard input.',
    },
  ],
  options: {
    with: withOption,
    type: option(
      'CHAIN',
      "ethereum, solana, bitcoin, tron or tempo. Default: the chain of the signer's address.",
    ),
  },
  examples: {
    'sign transaction payment.hex --with shop': 'Signs with the one account that fits.',
    'sign transaction payment.hex --with shop --dry-run':
      'Shows its effects and whether it would be signed.',
  },
  run: async ({ arguments: { file }, options, output, terminal, service }) => {
    const asked = options.type === undefined ? undefined : chosen(types, options.type, '--type');
    const unsignedTransaction = hexOf(await readSource(file, terminal), file);
    const { client, submit, common } = await service();
    const rows = asked === undefined ? Object.values(types) : [asked];
    const rowOf = (format = '') => rows.find(({ formats }) => formats.test(format));
    const { signWith, addressFormat } = await findSigner(client, options.with, {
      does: 'signs transactions',
      fits: (signer) => rowOf(signer.addressFormat) !== undefined,
    });
    const type = rowOf(addressFormat)?.type ?? '';
    const parameters = { signWith, unsignedTransaction, type };
    const preview = common.curl ? undefined : await client.dryRun('sign_transaction', parameters);
    const explanation = preview?.decision?.['explanation'];
    for (const line of explanationLines(explanation)) output.note(line);
    const result = await submit('sign_transaction', parameters);
    if (result === undefined) return;
    const { signedTransaction } = result;
    output.thing(
      { 'Signed transaction': signedTransaction, Signer: signWith },
      { document: { signedTransaction, signWith, type, explanation }, ids: [signedTransaction] },
    );
  },
});

/** Returns the hex digits of a file that contains hex, base64 (the usual form of PSBTs) or raw bytes. */
function hexOf(bytes: Uint8Array, file: string): string {
  const text = new TextDecoder().decode(bytes).trim();
  if (text === '') throw usage(`${file === '-' ? 'the standard input' : file} is empty`);
  if (/^(0x)?[0-9a-f]+$/i.test(text)) return text.replace(/^0x/i, '');
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0;
  return Buffer.from(isBase64 ? Buffer.from(text, 'base64') : bytes).toString('hex');
}
