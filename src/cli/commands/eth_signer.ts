import { findSigner } from '../accounts/signers.ts';
import { command } from '../command_line/command.ts';
import { untilInterrupted } from '../service/until_interrupted.ts';
import { requireSending } from '../words/common_values.ts';
import { usage } from '../words/failures.ts';
import { option } from '../words/options.ts';

export default command({
  summary: 'Serves accounts as a remote signer of Ethereum (JSON-RPC).',
  reach: 'submits',
  arguments: [
    {
      name: 'signer',
      summary: 'Account of Ethereum: WALLET, WALLET/ACCOUNT, an address, or a private key.',
      count: 'many',
    },
  ],
  options: {
    port: option('PORT', 'Port at 127.0.0.1. Default: any free port.'),
    node: option(
      'URL',
      'Node that answers other methods, and receives the transactions that eth_sendTransaction signs.',
    ),
  },
  examples: {
    'eth-signer shop/ethereum --port 9000':
      'Serves one account until Ctrl-C, at the printed address.',
    'eth-signer shop/ethereum --node http://127.0.0.1:8545':
      'Serves a node and its account, as development tools expect them.',
  },
  run: async ({ arguments: { signer: words }, options, common, output, service, terminal }) => {
    if (words.length === 0) throw usage('eth-signer needs SIGNER', 'keywright wallet list');
    requireSending(common, 'eth-signer');
    if (options.node !== undefined && !URL.canParse(options.node)) {
      throw usage(`"${options.node}" is not an address such as http://127.0.0.1:8545`);
    }
    const { listenOnThisMachine, portOf } = await import('../service/local_http.ts');
    const port = options.port === undefined ? 0 : portOf(options.port);
    const { client, submit } = await service();
    const purpose = {
      does: 'signs for Ethereum',
      fits: ({ addressFormat = '' }) => addressFormat === 'ADDRESS_FORMAT_ETHEREUM',
    };
    const signers = await Promise.all(words.map((word) => findSigner(client, word, purpose)));
    const { rpcServer } = await import('../service/json_rpc.ts');
    const { signerMethods } = await import('../remote_signer/methods.ts');
    const { nodeAt } = await import('../remote_signer/node.ts');
    const { overHttp } = await import('../remote_signer/http.ts');
    const { randomName } = await import('../service/new_key.ts');
    const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
    const node = options.node === undefined ? undefined : nodeAt(options.node);
    const path = `/${randomName()}`;
    const server = rpcServer(signerMethods({ signers, submit, node, version: manifest.version }));
    const listener = await listenOnThisMachine(overHttp(server, path), port);
    const url = `${listener.origin}${path}`;
    const accounts = signers.map(({ address = '' }) => address);
    output.thing(
      { Address: url, Accounts: accounts.join(', ') },
      { document: { url, accounts }, ids: [url] },
    );
    await untilInterrupted(listener, terminal);
  },
});
