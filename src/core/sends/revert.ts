// Decodes the data of a reverted call (Solidity's `Error` and `Panic`).

import { bytesOfHex, hex, textOfUtf8 } from '../base/bytes.ts';
import type { Revert } from '../organization/records/sends.ts';

const errorSelector = '08c379a0';
const panicSelector = '4e487b71';
const maximumShownCharacters = 512;
const maximumShownHex = 2_048;

/** Returns the revert of the contract at `address`; `data` is hex with `0x`, or empty. */
export function revertOf(address: string, data: string): Revert {
  const digits = data.replace(/^0x/, '').toLowerCase();
  const selector = digits.slice(0, 8);
  const body = bytesOfHex(digits.slice(8)) ?? new Uint8Array();
  if (digits.length < 8) return native(address, 'execution_reverted', 'execution reverted');
  if (selector === errorSelector) {
    const message = stringIn(body);
    if (message !== undefined) return native(address, 'error_string', message);
  }
  if (selector === panicSelector && body.length === 32) {
    const code = `0x${BigInt(`0x${hex(body)}`).toString(16)}`;
    return native(address, 'panic', `panic ${code}`, code);
  }
  return {
    address,
    errorType: 'unknown',
    displayMessage: `reverted with error 0x${selector}`,
    unknown: { selector: `0x${selector}`, data: `0x${digits.slice(0, maximumShownHex)}` },
  };
}

type NativeType = NonNullable<Revert['native']>['nativeType'];

function native(address: string, nativeType: NativeType, text: string, panicCode?: string): Revert {
  const message = visible(text);
  return {
    address,
    errorType: 'native',
    displayMessage: message,
    native: { nativeType, message, ...(panicCode === undefined ? {} : { panicCode }) },
  };
}

/** Decodes the argument of `Error(string)`: offset 32, length, text. */
function stringIn(body: Uint8Array): string | undefined {
  const word = (at: number) => BigInt(`0x${hex(body.subarray(at, at + 32)) || '0'}`);
  if (body.length < 64 || word(0) !== 32n) return undefined;
  const length = word(32);
  if (length > BigInt(body.length - 64)) return undefined;
  return textOfUtf8(body.subarray(64, 64 + Number(length)));
}

/** Removes characters that could move or hide other text, since contracts choose these words. */
function visible(text: string): string {
  return text.replace(/[^ -~]/g, '?').slice(0, maximumShownCharacters);
}
