// base58 of 32 bytes. Every key of a transaction is encoded in it, and the general algorithm would take most
// of the time of reading a transaction.

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Converts five digits at a time, so that the product of a limb and 2^16 stays exact. */
const limbBase = 58 ** 5;
const limbCount = 9;

/** Returns the base58 of a key or hash of 32 bytes; each leading zero byte becomes `1`. */
export function base58Key(key: Uint8Array): string {
  const limbs = new Array<number>(limbCount).fill(0);
  for (let i = 0; i < key.length; i += 2) {
    let carry = ((key[i] ?? 0) << 8) | (key[i + 1] ?? 0);
    for (let j = limbCount - 1; j >= 0; j -= 1) {
      const value = (limbs[j] ?? 0) * 0x10000 + carry;
      carry = Math.floor(value / limbBase);
      limbs[j] = value - carry * limbBase;
    }
  }
  const digits = limbs.map(digitsOf).join('').replace(/^1+/, '');
  const zeros = key.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? key.length : zeros) + digits;
}

function digitsOf(limb: number): string {
  let digits = '';
  for (let i = 0, rest = limb; i < 5; i += 1, rest = Math.floor(rest / 58)) {
    digits = alphabet.charAt(rest % 58) + digits;
  }
  return digits;
}
