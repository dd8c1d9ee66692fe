// "Pair": lets a key of another machine in, after its words were compared.

import { useState } from 'preact/hooks';
import { Form } from '../../components/form.tsx';
import { Terms } from '../../components/small.tsx';
import { Loaded } from '../../components/states.tsx';
import { t, timeText } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { requestOf, useWrite } from '../service/write.ts';
import { useSession } from '../session/context.ts';
import { Screen } from '../shell/screen.tsx';
import { type Asked, askedIn } from './asked.ts';

export default function Pair() {
  const asked = askedIn(location.hash);
  return (
    <Screen heading={t('screen.pair')}>
      {asked === undefined ? (
        <p role="alert" class="alert">
          {t('pair.malformed')}
        </p>
      ) : (
        <Key asked={asked} />
      )}
    </Screen>
  );
}

function Key({ asked }: { readonly asked: Asked }) {
  const { publicKey, name, expirationSeconds } = asked;
  const { userId, userName } = useSession();
  const write = useWrite();
  const [isIn, setIn] = useState(false);
  const words = useRead(['pairing', publicKey], async () => {
    const { wordsOf } = await import('./words.ts');
    return wordsOf(publicKey);
  });
  const seconds = expirationSeconds === undefined ? {} : { expirationSeconds };
  const until = expirationSeconds && timeText(Date.now() + Number(expirationSeconds) * 1000);
  const key = { apiKeyName: name, publicKey, curveType: 'API_KEY_CURVE_P256' as const };
  const request = () => requestOf('create_api_keys', { userId, apiKeys: [{ ...key, ...seconds }] });
  const letIn = async () => {
    const outcome = await write.ask(request(), t('pair.done', { name: shown(name) }));
    if (outcome !== undefined) setIn(true);
  };
  return (
    <section class="part" aria-label={shown(name)}>
      <p>{t('pair.compare')}</p>
      <Loaded read={words}>{(text) => <p class="words sentence">{text}</p>}</Loaded>
      <Terms
        rows={[
          { term: t('users.keyName'), value: shown(name) },
          { term: t('users.publicKey'), value: <code>{publicKey}</code> },
          { term: t('pair.as'), value: shown(userName) },
          { term: t('users.expires'), value: until ?? t('lifetime.never') },
        ]}
      />
      {isIn ? (
        <p role="status" class="verified">
          {t('pair.isIn')}
        </p>
      ) : (
        <Form
          write={write}
          request={request}
          submitLabel={t('pair.letIn')}
          onSubmit={() => void letIn()}
        >
          <p class="hint">{t('pair.warning', { name: shown(userName) })}</p>
        </Form>
      )}
    </section>
  );
}
