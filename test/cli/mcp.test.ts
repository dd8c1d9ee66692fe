// `keywright mcp` with a service, tested by the published client of the protocol.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { protocolVersions } from '../../src/cli/mcp/protocol.ts';
import { confirmMember } from '../../src/cli/mcp/tools.ts';
import { allOperations } from '../../src/cli/words/operations.ts';
import { until } from '../e2e/service.ts';
import { commandsOfThisFile } from './running_service.ts';

const { json, run } = await commandsOfThisFile();

// The profile in docs/agents.md, created with the commands of the page.
const page = readFileSync('docs/agents.md', 'utf8');
const [, typed = ''] = /```sh\nkeywright (.*?)\n```/s.exec(page) ?? [];
const { sessionProfileId } = await json(typed.replaceAll('\\\n', ''));

/** Runs `keywright mcp` until the client closes, and connects the published client to it. */
async function connected(...words: readonly string[]) {
  const input = new PassThrough();
  let onLine: (line: string) => void = () => {};
  const ran = run(['mcp', ...words], {
    inputChunks: () => input,
    out: (text) => onLine(text),
  });
  const transport: Transport = {
    start: async () => {},
    send: async (message) => void input.write(`${JSON.stringify(message)}\n`),
    close: async () => void input.end(),
  };
  onLine = (line) => transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
  const client = new Client({ name: 'examiner', version: '1.0.0' });
  await client.connect(transport);
  after(async () => {
    await client.close();
    assert.equal((await ran).code, 0);
  });
  return client;
}

/** Returns the structured content of a call, and whether the call failed. */
async function called(client: Client, name: string, given: Record<string, unknown> = {}) {
  const answer = await client.callTool({ name, arguments: given }, CallToolResultSchema);
  const [{ text } = { text: '' }] = answer.content as readonly { readonly text: string }[];
  const value = (answer.structuredContent ?? {}) as Record<string, unknown>;
  return { isError: answer.isError === true, text, value };
}

const reader = await connected();
const wallet = { walletName: 'of an agent', accounts: [] };

test('without a session profile the tools are the queries', async () => {
  const { tools } = await reader.listTools();
  const queries = (await allOperations()).filter(({ kind }) => kind === 'query');
  assert.deepEqual(
    tools.map(({ name }) => name),
    queries.map(({ name }) => name),
  );
  assert(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
  const { value } = await called(reader, 'whoami');
  assert.equal(value['username'], 'Root user');
});

test('a tool that was not offered is unknown', async () => {
  await assert.rejects(called(reader, 'create_wallet', wallet), /unknown tool create_wallet/);
});

test('a failure is a result with the next step', async () => {
  const { isError, text } = await called(reader, 'get_wallet', { walletId: 'shop' });
  assert(isError);
  assert.match(text, /walletId/);
});

test('within its scope a tool acts once, at the second call', async () => {
  const agent = await connected('--session-profile', sessionProfileId);
  const first = await called(agent, 'create_wallet', wallet);
  assert.equal((first.value['dryRun'] as { outcome: string }).outcome, 'done');
  const names = async () => JSON.stringify((await called(agent, 'list_wallets')).value);
  assert.doesNotMatch(await names(), /of an agent/, 'the first call does nothing');
  const confirmed = { ...wallet, [confirmMember]: first.value[confirmMember] };
  const other = await called(agent, 'create_wallet', { ...confirmed, walletName: 'another' });
  assert(other.isError, 'the word of another call');
  const again = await called(agent, 'create_wallet', wallet);
  const word = again.value[confirmMember];
  const done = await called(agent, 'create_wallet', { ...wallet, [confirmMember]: word });
  assert.equal(done.value['outcome'], 'done');
  assert.match(await names(), /of an agent/);
  const twice = await called(agent, 'create_wallet', { ...wallet, [confirmMember]: word });
  assert(twice.isError, 'a word counts once');
});

test('the service refuses calls outside of the scope', async () => {
  const agent = await connected('--session-profile', sessionProfileId, '--tools', 'create_*');
  const tag = { userTagName: 'agents', userIds: [] };
  const { isError, text } = await called(agent, 'create_user_tag', tag);
  assert(isError, text);
  assert.match(text, /scope/);
});

test('no tool votes', async () => {
  const agent = await connected('--session-profile', sessionProfileId, '--tools', '*_activity');
  const { tools } = await agent.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['explain_activity', 'get_activity'],
  );
});

test('over HTTP a client needs the token, and no page gets an answer', async () => {
  const ended = new AbortController();
  let out = '';
  const ran = run(['mcp', '--http', '0', '--tools', 'whoami', '--json'], {
    signal: ended.signal,
    out: (text) => {
      out += text;
    },
  });
  await until('it listens', () => out.endsWith('}\n'));
  const { url, token } = JSON.parse(out);
  const authorization = `Bearer ${token}`;
  const client = new Client({ name: 'examiner', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization } },
    }),
  );
  assert.equal((await called(client, 'whoami')).value['username'], 'Root user');
  await client.close();

  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const status = async (headers: Record<string, string>, body = ping) =>
    (await fetch(url, { method: 'POST', headers, body })).status;
  assert.equal(await status({ authorization }), 200);
  assert.equal(await status({}), 401);
  assert.equal(await status({ authorization: `${authorization}x` }), 401);
  assert.equal(await status({ authorization, origin: 'http://127.0.0.1' }), 403);
  assert.equal(await status({ authorization, 'mcp-protocol-version': '1999-01-01' }), 400);
  assert.equal(await status({ authorization }, 'x'.repeat(1024 * 1024 + 1)), 413);
  ended.abort();
  assert.equal((await ran).code, 0);
});

test('malformed messages get the error codes of JSON-RPC', async () => {
  const lines = [
    '{',
    '[]',
    '{"jsonrpc":"2.0","id":1,"method":"tools/run"}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"whoami","arguments":[]}}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}',
    '{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"2999-01-01"}}',
  ];
  const { code, out } = await run(['mcp'], { input: `${lines.join('\n')}\n` });
  assert.equal(code, 0);
  const answers = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const codes = answers.flatMap(({ error }) => error?.code ?? []);
  assert.deepEqual(codes.sort(), [-32600, -32600, -32601, -32602, -32700]);
  const versions = answers.flatMap(({ result }) => result?.protocolVersion ?? []);
  assert.deepEqual(versions, ['2024-11-05', protocolVersions[0]]);
});

test('no operation has a parameter with the name of the confirmation', async () => {
  for (const { name, parameters } of await allOperations()) {
    assert(!Object.hasOwn(parameters.properties ?? {}, confirmMember), name);
  }
});
