// Screen "Sign in": by passkey, by API key file, by e-mail code, or as a demo person.

import { useState } from 'preact/hooks';
import { apiKey } from '../../../src/client/stamps.ts';
import { Button } from '../../components/button.tsx';
import { FileField, TextField } from '../../components/field.tsx';
import { PasskeyPrompt } from '../../components/form.tsx';
import { Mark } from '../../components/icons.tsx';
import { later } from '../../components/later.tsx';
import { Screen } from '../../components/screen.tsx';
import { Problem } from '../../components/states.tsx';
import { t, timeText } from '../../messages/text.ts';
import { useConfig } from '../session/context.ts';
import { PasskeyError, passkeyStamp } from '../session/passkeys.ts';
import { clientFor, startSession, unconfirmedEnd } from '../session/session.ts';
import { DemoPeople } from './demo_people.tsx';

/** Loaded when the user chooses to sign in by code. */
const EmailCode = later(() => import('./email_code.tsx'));

export function SignIn() {
  const { development } = useConfig();
  return (
    <>
      <header class="banner">
        <span class="home">
          <Mark />
          <span>{t('app.name')}</span>
        </span>
        {development && <span class="badge development">{t('app.development')}</span>}
      </header>
      <main class="sign-in" id="content">
        <Screen heading={t('screen.signIn')} lead={t('signIn.lead')}>
          {unconfirmedEnd.value !== undefined && (
            <p role="alert" class="alert">
              {t('signIn.unconfirmedEnd', { time: timeText(unconfirmedEnd.value) })}
            </p>
          )}
          <SignInWays />
        </Screen>
      </main>
    </>
  );
}

/** The ways to sign in, for the sign-in screen and the dialog "Sign in again". */
export function SignInWays() {
  const config = useConfig();
  const [organizationId, setOrganizationId] = useState(config.organizationId ?? '');
  const [error, setError] = useState<Error>();
  const [isPending, setPending] = useState(false);
  const [byCode, setByCode] = useState(false);
  const attempt = async (enter: () => Promise<void>): Promise<void> => {
    setError(undefined);
    setPending(true);
    try {
      await enter();
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    } finally {
      setPending(false);
    }
  };
  const byPasskey = () =>
    attempt(async () => {
      if (organizationId === '') throw new PasskeyError(t('signIn.organizationMissing'));
      await startSession(config, clientFor(config, organizationId, passkeyStamp(config)));
    });
  const byFile = (file: File) =>
    attempt(async () => {
      const credentials = await credentialsIn(file);
      const stamp = await apiKey(credentials);
      await startSession(config, clientFor(config, credentials.organizationId, stamp));
    });
  return (
    <div class="ways">
      {error && <Problem error={error} />}
      {config.organizationId === undefined && (
        <TextField
          label={t('signIn.organization')}
          value={organizationId}
          onInput={(text) => setOrganizationId(text.trim())}
          isCode
        />
      )}
      {config.passkeys === false ? (
        <p class="hint">{t('passkey.elsewhere')}</p>
      ) : (
        <div class="buttons">
          <Button kind="primary" icon="passkey" isBusy={isPending} onClick={() => void byPasskey()}>
            {t('signIn.passkey')}
          </Button>
          <PasskeyPrompt />
        </div>
      )}
      {config.authProxyConfigId !== undefined &&
        (byCode ? (
          <EmailCode
            config={config}
            organizationId={organizationId}
            isPending={isPending}
            attempt={attempt}
          />
        ) : (
          <div>
            <Button onClick={() => setByCode(true)}>{t('signIn.byCode')}</Button>
          </div>
        ))}
      <FileField
        label={t('signIn.keyFile')}
        hint={t('signIn.keyFileHint')}
        onFile={(file) => void byFile(file)}
      />
      {config.developmentToken !== undefined && (
        <DemoPeople token={config.developmentToken} attempt={attempt} />
      )}
    </div>
  );
}

type Credentials = {
  readonly organizationId: string;
  readonly apiPublicKey: string;
  readonly apiPrivateKey: string;
};

const maximumFileBytes = 64 * 1024;
const members = ['organizationId', 'apiPublicKey', 'apiPrivateKey'] as const;

/** Parses a key file. Throws `PasskeyError`, because the page shows its message to the user. */
async function credentialsIn(file: File): Promise<Credentials> {
  const bad = (reason: string) => new PasskeyError(t('signIn.keyFileBad', { reason }));
  if (file.size > maximumFileBytes) throw bad(file.name);
  let content: Partial<Credentials> | null;
  try {
    content = JSON.parse(await file.text());
  } catch {
    throw bad('JSON');
  }
  const missing = members.find((name) => typeof content?.[name] !== 'string');
  if (missing !== undefined) throw bad(missing);
  return content as Credentials;
}
