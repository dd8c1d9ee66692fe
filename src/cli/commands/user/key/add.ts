import { rm } from 'node:fs/promises';
import { isSurelyNotDone } from '../../../client_failures.ts';
import { command } from '../../../command.ts';
import { usage } from '../../../failures.ts';
import { writePrivateFile } from '../../../files.ts';
import { findUser } from '../../../find.ts';
import { apiKeyOf, newKey } from '../../../new_key.ts';

export default command({
  words: 'user key add',
  summary: 'Gives a user another API key: one that is made here, or the public key of theirs.',
  reach: 'submits',
  arguments: [{ name: 'user', summary: 'Name or id of the user.' }],
  options: {
    'key-file': {
      kind: 'text',
      value: 'FILE',
      summary: 'Makes a key here and writes it to this file.',
    },
    'public-key': {
      kind: 'text',
      value: 'HEX',
      summary: 'Public key (P-256, compressed) of a key elsewhere.',
    },
    name: { kind: 'text', value: 'NAME', summary: 'Name of the key.' },
    expires: {
      kind: 'text',
      value: 'DURATION',
      summary: 'Lifetime of the key; without end if absent.',
    },
  },
  examples: [
    {
      type: 'user key add alice --key-file alice2.json --expires 90d',
      does: 'Makes a key of 90 days.',
    },
  ],
  run: async ({ arguments: { user: word }, options, output, common, service }) => {
    const { 'key-file': file, 'public-key': elsewhere, name, expires } = options;
    if ((file === undefined) === (elsewhere === undefined)) {
      throw usage('user key add needs one of --key-file and --public-key');
    }
    const { client, way, submit } = await service();
    const { userId, userName } = await findUser(client, word);
    const key = await newKey();
    const isWritten = file !== undefined && !common['dry-run'] && !common.curl;
    if (isWritten) {
      const { url: baseUrl, organizationId } = way;
      const content = `${JSON.stringify({ baseUrl, organizationId, ...key }, undefined, 2)}\n`;
      await writePrivateFile(file, new TextEncoder().encode(content));
    }
    const publicKey = elsewhere ?? key.apiPublicKey;
    try {
      const apiKeys = [apiKeyOf(publicKey, name ?? `Key of ${userName}`, expires)];
      const result = await submit('create_api_keys', { userId, apiKeys });
      if (result === undefined) return;
      output.thing(
        { User: userName, 'API key': result.apiKeyIds[0], Key: file },
        { document: { ...result, keyFile: file }, ids: result.apiKeyIds },
      );
    } catch (error) {
      if (isWritten && isSurelyNotDone(error)) await rm(file, { force: true });
      throw error;
    }
  },
});
