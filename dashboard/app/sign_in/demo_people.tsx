// The demo people of `keywright dev`. Each button starts a session of one person.

import { useState } from 'preact/hooks';
import type { Client } from '../../../src/client/connect.ts';
import { readOnlySession } from '../../../src/client/stamps.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../messages/text.ts';
import { useConfig } from '../session/context.ts';
import { clientFor, startSession } from '../session/session.ts';
import { useOnce } from './use_once.ts';

type Login = { readonly publicKey: string; readonly sessionProfileId?: string };
type Person = { readonly name: string };

export function DemoPeople(props: {
  readonly token: string;
  readonly attempt: (enter: () => Promise<void>) => Promise<void>;
}) {
  const { token, attempt } = props;
  const config = useConfig();
  const [people, setPeople] = useState<readonly Person[]>([]);
  const address = (path: string) =>
    new URL(`${path}?token=${encodeURIComponent(token)}`, config.apiUrl);
  useOnce(async () => {
    const answer = await fetch(address('/dev/people'));
    if (answer.ok) setPeople((await answer.json()).people);
  });
  const enter = (user: string) =>
    attempt(async () => {
      const client = clientFor(config, config.organizationId ?? '', readOnlySession(''));
      // The service stamps the login with the person's key.
      const login = async (_name: string, { publicKey, sessionProfileId }: Login) => {
        const body = JSON.stringify({ user, publicKey, sessionProfileId });
        const answer = await fetch(address('/dev/sign-in'), { method: 'POST', body });
        const { message, organizationId } = await answer.json();
        if (!answer.ok) throw new Error(t('signIn.failed', { reason: String(message) }));
        return { outcome: 'done', activity: { organizationId } };
      };
      await startSession(config, { ...client, ask: login as unknown as Client['ask'] });
    });
  if (people.length === 0) return null;
  return (
    <fieldset class="people">
      <legend>{t('signIn.people')}</legend>
      <p class="hint">{t('signIn.peopleHint')}</p>
      <div class="buttons">
        {people.map(({ name }) => (
          <Button key={name} onClick={() => void enter(name)}>
            {t('signIn.as', { name })}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
