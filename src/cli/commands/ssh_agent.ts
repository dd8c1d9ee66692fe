import { resolve } from 'node:path';
import { findSigner, type Signer } from '../accounts/signers.ts';
import { command } from '../command_line/command.ts';
import { failureOf } from '../service/client_failures.ts';
import { untilInterrupted } from '../service/until_interrupted.ts';
import type { AgentParts } from '../ssh/agent.ts';
import { requireSending } from '../words/common_values.ts';
import { usage } from '../words/failures.ts';
import { option } from '../words/options.ts';

export default command({
  summary: 'Serves keys as an SSH agent, for logins and for signatures of git.',
  reach: 'submits',
  arguments: [
    {
      name: 'signer',
      summary: 'Key of Ed25519 or P-256: WALLET/ACCOUNT, an address, or a private key.',
      count: 'many',
    },
  ],
  options: {
    socket: option(
      'PATH',
      'Path of the socket, which must not exist. Default: in a new private folder.',
    ),
  },
  examples: {
    'ssh-agent deploy --socket agent.sock':
      'Serves a private key until Ctrl-C. Set SSH_AUTH_SOCK to the printed path.',
  },
  run: async ({ arguments: { signer: words }, options, common, output, service, terminal }) => {
    if (words.length === 0) throw usage('ssh-agent needs SIGNER', 'keywright key list');
    requireSending(common, 'ssh-agent');
    const { identityOf } = await import('../ssh/identities.ts');
    const { listenForSsh } = await import('../ssh/listen.ts');
    const { isSignedBySsh } = await import('../ssh/signed_data.ts');
    const { client, submit } = await service();
    const fits = (signer: Signer) => identityOf(signer) !== undefined;
    const purpose = { does: 'is a key of SSH', fits };
    const signers = await Promise.all(words.map((word) => findSigner(client, word, purpose)));
    const sign: AgentParts['sign'] = async ({ signer, blob, hashFunction }, data) => {
      const { signWith, typed } = signer;
      if (!isSignedBySsh(data, blob)) {
        output.note(`${typed}: the data is neither a login nor a signature of SSH`);
        return undefined;
      }
      const payload = Buffer.from(data).toString('hex');
      const encoding = 'PAYLOAD_ENCODING_HEXADECIMAL';
      try {
        return await submit('sign_raw_payload', { signWith, payload, encoding, hashFunction });
      } catch (error) {
        const failure = failureOf(error);
        if (failure === undefined) throw error;
        // The SSH protocol has no field for the reason, so print it here.
        output.note(`${typed}: ${failure.message}`);
        return undefined;
      }
    };
    const identities = signers.flatMap((signer) => identityOf(signer) ?? []);
    const given = options.socket && resolve(terminal.workingDirectory, options.socket);
    const listener = await listenForSsh(given, { identities, sign });
    const keys = signers.map(({ typed }) => typed);
    output.thing(
      { SSH_AUTH_SOCK: listener.path, Keys: keys.join(', ') },
      { document: { socket: listener.path, keys }, ids: [listener.path] },
    );
    await untilInterrupted(listener, terminal);
  },
});
