// Screen "Inbox": the e-mails and text messages that a development service stores in place of sending them.

import { useEffect } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Screen } from '../../components/screen.tsx';
import { Time } from '../../components/small.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { announce } from '../service/announcements.ts';
import { useRead } from '../service/queries.ts';
import { useConfig } from '../session/context.ts';
import { watchedFetch } from '../session/reach.ts';

type Message = {
  readonly channel: string;
  readonly to: string;
  readonly subject?: string;
  readonly text: string;
  readonly createdAt: string;
};

const pauseMs = 2_000;

export default function Inbox() {
  const { apiUrl, developmentToken } = useConfig();
  const read = useRead(['development inbox'], async (signal) => {
    if (developmentToken === undefined) return [];
    const path = `/dev/inbox?token=${encodeURIComponent(developmentToken)}`;
    const answer = await watchedFetch(new URL(path, apiUrl), {
      headers: { accept: 'application/json' },
      signal,
    });
    if (!answer.ok) throw new Error(t('inbox.failed', { status: answer.status }));
    const { messages } = (await answer.json()) as { readonly messages: readonly Message[] };
    return messages;
  });
  // The service reports no event for new messages, so poll.
  useEffect(() => {
    const timer = setInterval(() => void read.refetch(), pauseMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <Screen heading={t('screen.inbox')} lead={t('inbox.lead')}>
      <Loaded read={read}>
        {(messages) =>
          messages.length === 0 ? (
            <Empty text={t('inbox.empty')} more={t('inbox.emptyText')} />
          ) : (
            <ul class="messages" aria-label={t('inbox.messages')}>
              {messages.map((message) => (
                <MessageItem
                  key={`${message.createdAt} ${message.to} ${message.text}`}
                  message={message}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Screen>
  );
}

function MessageItem({ message }: { readonly message: Message }) {
  const { channel, to, subject, text, createdAt } = message;
  const code = codeIn(text);
  return (
    <li class="part">
      <div class="part-head">
        <h2>{subject === undefined ? t('inbox.textMessage') : shown(subject)}</h2>
        {code !== undefined && (
          <Button
            icon="copy"
            onClick={async () => {
              await navigator.clipboard.writeText(code);
              announce(t('action.copied'));
            }}
          >
            {t('inbox.copyCode')}
          </Button>
        )}
      </div>
      <p class="hint">
        {t(channel === 'email' ? 'inbox.email' : 'inbox.sms', { to: shown(to) })}{' '}
        <Time ms={Date.parse(createdAt)} />
      </p>
      <pre>{text.split('\n').map(shown).join('\n')}</pre>
    </li>
  );
}

/** Finds a code: the first word of six to nine digits and capital letters. */
function codeIn(text: string): string | undefined {
  return /(?<![\w-])[A-Z0-9]{6,9}(?![\w-])/.exec(text)?.[0];
}
