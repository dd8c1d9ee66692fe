// Explains a Bitcoin transaction.

import { describeOutputScript } from '../../address/bitcoin_scripts.ts';
import { amountText } from '../../balances/amount_text.ts';
import { hex, textOfUtf8 } from '../../base/bytes.ts';
import type { BitcoinOutput, BitcoinTransaction } from '../../chains/bitcoin/transaction.ts';
import type { SigningAccount } from '../../chains/chain.ts';
import type {
  Effect,
  Fee,
  TransactionExplanation,
  Warning,
} from '../../organization/records/transaction_explanation.ts';
import { instantText } from '../text/instant_text.ts';
import { quotedText } from '../text/shown_text.ts';
import { feeOf, goesBack, isData, isHeight, totalOf } from './facts.ts';
import { bitcoinWarnings, countText } from './warnings.ts';

/** Maximum number of separately explained outputs; the others are summed. */
const maximumOutputsShown = 100;
/** Maximum number of displayed bytes of a script or of public data. */
const maximumBytesShown = 80;

/** Explains a PSBT for the account that signs it. */
export function explainBitcoin(
  transaction: BitcoinTransaction,
  { address }: SigningAccount,
): TransactionExplanation {
  const { outputs } = transaction.unsigned;
  const payers = payersOf(transaction, address);
  const fee = feeOf(transaction);
  return {
    summary: summaryOf(transaction, payers),
    effects: [
      ...outputs
        .slice(0, maximumOutputsShown)
        .map((output) => outputEffect(transaction, output, payers)),
      ...restEffects(transaction, outputs.slice(maximumOutputsShown)),
      ...lockEffects(transaction),
    ],
    ...(fee === undefined ? {} : { fee: feeText(fee) }),
    warnings: [
      ...restWarnings(transaction, outputs.slice(maximumOutputsShown)),
      ...bitcoinWarnings(transaction, fee),
    ],
  };
}

type Payers = {
  readonly address: string;
  /** Subject and verb: the account, with other addresses if there are any. */
  readonly send: string;
};

function payersOf({ inputs }: BitcoinTransaction, address: string): Payers {
  const isAlone = inputs.every(({ isOurs }) => isOurs);
  return { address, send: isAlone ? `${address} sends` : `${address} and other addresses send` };
}

function summaryOf(transaction: BitcoinTransaction, { address, send }: Payers): string {
  const { unsigned, network } = transaction;
  const paid = unsigned.outputs.filter(
    (output) => output.value > 0n && !goesBack(transaction, output),
  );
  const where = network === 'MAINNET' ? '' : ` on ${network.toLowerCase()}`;
  const [first, ...more] = paid;
  if (first === undefined) {
    const returned = totalOf(unsigned.outputs);
    if (returned === 0n) return `${send} no bitcoin to any address${where}.`;
    return `${send} ${btc(returned)} back to ${address}${where}.`;
  }
  const to =
    more.length === 0
      ? targetText(transaction, first)
      : `${paid.length} outputs of other addresses`;
  return `${send} ${btc(totalOf(paid))} to ${to}${where}.`;
}

function targetText({ network }: BitcoinTransaction, { script }: BitcoinOutput): string {
  const { address, type } = describeOutputScript(script, network);
  if (type === 'p2a') return `the anchor ${address}, which anyone may spend`;
  if (address !== '' && type === '') return `${address}, from which anyone may spend today`;
  if (address !== '') return address;
  return isData(script) ? 'an output of data, which nobody can spend' : `the script ${cut(script)}`;
}

function outputEffect(
  transaction: BitcoinTransaction,
  output: BitcoinOutput,
  { address, send }: Payers,
): Effect {
  const { value, script } = output;
  const to = describeOutputScript(script, transaction.network).address;
  const amounts = { from: address, amount: String(value), asset: 'BTC' };
  if (goesBack(transaction, output)) {
    return { kind: 'TRANSFER', text: `${btc(value)} goes back to ${address}.`, to, ...amounts };
  }
  if (isData(script)) {
    const burned = value === 0n ? '' : ` and destroys ${btc(value)}`;
    const words = publishedText(script);
    const shown = words === undefined ? '' : ` with the text ${quotedText(words)}`;
    const text = `It publishes the script ${cut(script)}${shown}${burned}.`;
    return { kind: 'DATA', text, ...amounts };
  }
  const text = `${send} ${btc(value)} to ${targetText(transaction, output)}.`;
  return { kind: 'TRANSFER', text, ...(to === '' ? {} : { to }), ...amounts };
}

/** Returns the text that an output of data pushes, if all of it is text. Other protocols act on texts. */
function publishedText(script: Uint8Array): string | undefined {
  const pushed = new Uint8Array(script.length);
  let end = 0;
  for (let at = 1; at < script.length; ) {
    const opcode = script[at] ?? 0;
    const isLong = opcode === pushData1;
    const length = isLong ? (script[at + 1] ?? 0) : opcode;
    const start = at + (isLong ? 2 : 1);
    if ((!isLong && opcode > longestPush) || start + length > script.length) return undefined;
    pushed.set(script.subarray(start, start + length), end);
    end += length;
    at = start + length;
  }
  const text = textOfUtf8(pushed.subarray(0, end));
  return text === undefined || text === '' || /\p{Cc}/u.test(text) ? undefined : text;
}

/** OP_PUSHDATA1, after which one byte has the length; smaller numbers are lengths. */
const pushData1 = 0x4c;
const longestPush = 0x4b;

function restEffects(transaction: BitcoinTransaction, rest: readonly BitcoinOutput[]): Effect[] {
  if (rest.length === 0) return [];
  const others = rest.filter((output) => !goesBack(transaction, output));
  const amount = totalOf(rest);
  return [
    {
      kind: 'TRANSFER',
      text: `${btc(amount)} goes to ${countText(rest.length, 'more output')}, ${others.length} of them to other addresses.`,
      amount: String(amount),
      asset: 'BTC',
    },
  ];
}

function restWarnings(
  transaction: BitcoinTransaction,
  rest: readonly BitcoinOutput[],
): readonly Warning[] {
  const others = rest.filter((output) => !goesBack(transaction, output));
  if (others.length === 0) return [];
  const text = `${countText(others.length, 'output')} of other addresses ${others.length === 1 ? 'is' : 'are'} not shown here.`;
  return [{ code: 'UNKNOWN_PAYLOAD', text }];
}

function lockEffects({ unsigned }: BitcoinTransaction): Effect[] {
  const { version, inputs, locktime } = unsigned;
  const texts: string[] = [];
  // A final sequence in every input switches the locktime off.
  if (locktime > 0 && inputs.some(({ sequence }) => sequence !== 0xffffffff)) {
    texts.push(
      isHeight(locktime)
        ? `It is valid only in blocks after block ${locktime}.`
        : `It is not valid before ${instantText(1000n * BigInt(locktime))}.`,
    );
  }
  // BIP-68 applies to version 2 and above, read as an unsigned number, if the highest bit of the sequence is
  // clear.
  if (version < 0 || version >= 2) {
    const locks = inputs.map(({ sequence }) => sequence).filter((each) => each < 0x80000000);
    const blocks = longest(locks.filter((each) => (each & secondsFlag) === 0));
    const units = longest(locks.filter((each) => (each & secondsFlag) !== 0));
    if (blocks > 0)
      texts.push(`It is not valid until a coin that it spends is ${blocks} blocks old.`);
    if (units > 0) {
      texts.push(`It is not valid until a coin that it spends is ${512 * units} seconds old.`);
    }
  }
  return texts.map((text) => ({ kind: 'VALIDITY', text }));
}

/** BIP-68: the lock counts units of 512 seconds. */
const secondsFlag = 1 << 22;

function longest(sequences: readonly number[]): number {
  return sequences.reduce((most, sequence) => Math.max(most, sequence & 0xffff), 0);
}

function feeText(fee: bigint): Fee {
  return { maximum: String(fee), asset: 'BTC', text: `The fee is ${btc(fee)}.` };
}

/** Formats satoshis as bitcoins. */
function btc(satoshis: bigint): string {
  return `${amountText(String(satoshis), 8)} BTC`;
}

function cut(script: Uint8Array): string {
  if (script.length === 0) return 'of no bytes';
  if (script.length <= maximumBytesShown) return hex(script);
  return `${hex(script.subarray(0, maximumBytesShown))}… of ${script.length} bytes`;
}
