// A first signature with the two packages and nothing else. Copied into the folder of the packages and run
// there.

import { readFileSync } from 'node:fs';
import { apiKey, connect } from '@keywright/client';

const [, , url, credentialsFile, hash] = process.argv;
const credentials = JSON.parse(readFileSync(credentialsFile, 'utf8'));
const { organizationId } = credentials;

const keywright = connect({ url, organizationId, stamp: await apiKey(credentials) });
const { addresses } = await keywright.submit('create_wallet', {
  walletName: `shop of Node ${process.versions.node}`,
  accounts: [keywright.account('ethereum')],
});
const { r, s, v } = await keywright.submit('sign_raw_payload', {
  signWith: addresses[0],
  payload: hash,
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_NO_OP',
});
process.stdout.write(JSON.stringify({ address: addresses[0], r, s, v }));
