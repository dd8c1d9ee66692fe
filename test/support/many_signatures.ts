// Signs many messages with one new wallet of a real service.

import type { Client } from '../../src/client/index.ts';

const atOnce = 32;

export async function signMany(client: Client, count: number): Promise<void> {
  const { addresses } = await client.submit('create_wallet', {
    walletName: 'many',
    accounts: [client.account('ethereum')],
  });
  let left = count;
  const sign = async () => {
    while (left > 0) {
      left -= 1;
      await client.submit('sign_raw_payload', {
        signWith: addresses[0] ?? '',
        payload: String(left),
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_KECCAK256',
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sign));
}
