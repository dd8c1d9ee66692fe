import { resolve } from 'node:path';
import { command } from '../command.ts';
import { Failure } from '../failures.ts';
import { isMissingFile, readPrivateFile } from '../files.ts';
import { isLoopback } from '../profiles.ts';
import type { Terminal } from '../terminal.ts';
import { reasonOf } from '../unreachable.ts';

export default command({
  words: 'inbox',
  summary: 'Prints the e-mails and text messages of a service in development.',
  reach: 'local',
  options: {
    from: { kind: 'text', value: 'URL', summary: 'Address of the inbox, as the start printed it.' },
  },
  examples: [{ type: 'inbox', does: 'Prints the messages of keywright dev in this folder.' }],
  run: async ({ options: { from }, output, terminal }) => {
    const url = from ?? (await inboxOfFolder(terminal));
    if (!URL.canParse(url) || !isLoopback(url)) throw notThere('It is an address on this machine.');
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: terminal.signal,
    }).catch((error: unknown) => {
      throw notThere(`It cannot be reached: ${reasonOf(error)}.`);
    });
    if (!response.ok) throw notThere(`It answers ${response.status}.`);
    const { messages } = (await response.json()) as { readonly messages: readonly Message[] };
    output.list(
      messages.map(({ channel, to, subject, text }) => ({
        Kind: channel,
        To: to,
        Subject: subject ?? '',
        Text: text.trim().replace(/\s+/g, ' '),
      })),
      { document: { messages }, ids: messages.map(({ to }) => to), empty: 'No messages yet.' },
    );
  },
});

type Message = {
  readonly channel: string;
  readonly to: string;
  readonly subject?: string;
  readonly text: string;
};

const notThere = (reason: string): Failure =>
  new Failure({
    exit: 'unreachable',
    message: `There is no inbox here. ${reason}`,
    next: 'Start keywright dev in this folder, or give --from with the address that the start printed.',
  });

/** The address that `keywright dev` keeps beside its keys. */
async function inboxOfFolder({ workingDirectory }: Terminal): Promise<string> {
  const file = resolve(workingDirectory, '.keywright', 'inbox.json');
  try {
    const { url } = JSON.parse(new TextDecoder().decode(await readPrivateFile(file)));
    return String(url);
  } catch (error) {
    if (isMissingFile(error)) throw notThere('keywright dev was not started in this folder.');
    throw error;
  }
}
