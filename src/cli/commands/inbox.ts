import { resolve } from 'node:path';
import { command } from '../command_line/command.ts';
import { isMissingFile, readPrivateFile } from '../files/files.ts';
import { isLoopback } from '../profiles/profiles.ts';
import { fetchDocument } from '../service/bounded_fetch.ts';
import { reasonOf } from '../service/unreachable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from '../words/failures.ts';
import { option } from '../words/options.ts';

export default command({
  summary: 'Prints the e-mails and text messages of a service in development.',
  reach: 'local',
  options: {
    from: option('URL', 'Address of the inbox, as the start printed it.'),
  },
  examples: { inbox: 'Prints the messages of keywright dev in this folder.' },
  run: async ({ options: { from }, output, terminal }) => {
    const url = from ?? (await inboxOfFolder(terminal));
    if (!URL.canParse(url) || !isLoopback(url)) throw notThere('It is an address on this machine.');
    const messages = await messagesAt(url, terminal);
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

async function messagesAt(url: string, { signal }: Terminal): Promise<readonly Message[]> {
  let text: string;
  try {
    const headers = { accept: 'application/json' };
    const response = await fetchDocument(url, { headers, signal });
    text = response.ok ? await response.text() : '';
    if (!response.ok) throw new Error(`it answers ${response.status}`);
  } catch (error) {
    throw notThere(`It cannot be read: ${reasonOf(error)}.`);
  }
  try {
    const { messages } = JSON.parse(text);
    if (Array.isArray(messages)) return messages.map(messageIn);
  } catch {
    // The error below covers answers that are not JSON.
  }
  throw notThere('The answer has no messages.');
}

/** Converts a row to a message. Missing members become empty texts. */
function messageIn(row: unknown): Message {
  const [channel, to, subject, text] = ['channel', 'to', 'subject', 'text'].map((name) =>
    String(Object(row)[name] ?? ''),
  );
  return { channel: channel ?? '', to: to ?? '', text: text ?? '', subject: subject ?? '' };
}

const notThere = (reason: string): Failure =>
  new Failure({
    exit: 'unreachable',
    message: `There is no inbox here. ${reason}`,
    next: 'Start keywright dev in this folder, or give --from with the address that the start printed.',
  });

/** Returns the inbox address that `keywright dev` stores next to its keys. */
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
