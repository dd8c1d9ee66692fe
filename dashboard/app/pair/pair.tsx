// Screen "Pair": registers the key of another machine after the user compared the words of the key.

import { useState } from 'preact/hooks';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Screen } from '../../components/screen.tsx';
import { Terms } from '../../components/small.tsx';
import { Loaded } from '../../components/states.tsx';
import { WeightyButton } from '../../components/weighty_button.tsx';
import { t, timeText } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { requestOf, useWrite } from '../service/write.ts';
import { useSession } from '../session/context.ts';
import { type PairingLink, parsePairingLink } from './pairing_link.ts';

export default function Pair() {
  const link = parsePairingLink(location.hash);
  return (
    <Screen heading={t('screen.pair')}>
      {link === undefined ? (
        <p role="alert" class="alert">
          {t('pair.malformed')}
        </p>
      ) : (
        <Key link={link} />
      )}
    </Screen>
  );
}

function Key({ link }: { readonly link: PairingLink }) {
  const { publicKey, name, expirationSeconds } = link;
  const { userId, userName } = useSession();
  const write = useWrite();
  const [isRegistered, setRegistered] = useState(false);
  const words = useRead(['pairing', publicKey], async () => {
    const { wordsOf } = await import('./words.ts');
    return wordsOf(publicKey);
  });
  const [typed, setTyped] = useState('');
  const until = timeText(Date.now() + Number(expirationSeconds) * 1000);
  const curveType = 'API_KEY_CURVE_P256' as const;
  const key = { apiKeyName: name, publicKey, curveType, expirationSeconds };
  const request = () => requestOf('create_api_keys', { userId, apiKeys: [key] });
  // The last word is not shown: users who type it have read it in the terminal.
  const [last, ...others] = words.data?.split(' ').toReversed() ?? [];
  const register = async () => {
    const outcome = await write.ask(request(), t('pair.done', { name: shown(name) }));
    if (outcome !== undefined) setRegistered(true);
  };
  return (
    <section class="part" aria-label={shown(name)}>
      <p>{t('pair.compare')}</p>
      <Loaded read={words}>
        {() => <p class="words sentence">{others.toReversed().join(' ')}</p>}
      </Loaded>
      <Terms
        rows={[
          { term: t('users.keyName'), value: shown(name) },
          { term: t('users.publicKey'), value: <code>{publicKey}</code> },
          { term: t('pair.as'), value: shown(userName) },
          { term: t('users.expires'), value: until },
        ]}
      />
      {isRegistered ? (
        <p role="status" class="verified">
          {t('pair.isIn')}
        </p>
      ) : (
        <Form
          write={write}
          request={request}
          submitLabel={t('pair.letIn')}
          disabled={last === undefined || typed.trim().toLowerCase() !== last}
          submitButton={WeightyButton}
          onSubmit={() => void register()}
        >
          <TextField
            label={t('pair.word')}
            hint={t('pair.wordHint')}
            value={typed}
            onInput={setTyped}
            required
          />
          <p class="hint">{t('pair.warning', { name: shown(userName) })}</p>
        </Form>
      )}
    </section>
  );
}
