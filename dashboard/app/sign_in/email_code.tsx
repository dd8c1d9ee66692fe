// "Sign in with an e-mail code". The page seals the code together with the public key of the new session.

import { useState } from 'preact/hooks';
import { sealCode } from '../../../src/client/bundles.ts';
import { attested, newKey, readOnlySession } from '../../../src/client/stamps.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { t } from '../../messages/text.ts';
import type { Config } from '../session/config.ts';
import { watchedFetch } from '../session/reach.ts';
import { clientFor, startSession } from '../session/session.ts';

/** The answer to a request for a code. */
type Sent = { readonly otpId: string; readonly otpEncryptionTargetBundle: string };

export default function EmailCode(props: {
  readonly config: Config;
  readonly organizationId: string;
  readonly isPending: boolean;
  readonly attempt: (enter: () => Promise<void>) => Promise<void>;
}) {
  const { config, organizationId, isPending, attempt } = props;
  const [contact, setContact] = useState('');
  const [code, setCode] = useState('');
  const [sent, setSent] = useState<Sent>();
  const begin = () =>
    attempt(async () => {
      const body = { otpType: 'OTP_TYPE_EMAIL', contact: contact.trim() };
      setSent((await callProxy(config, 'otp_init_v2', body)) as Sent);
    });
  const enter = ({ otpId, otpEncryptionTargetBundle }: Sent) =>
    attempt(async () => {
      const key = await newKey();
      // This client only verifies the bundle with the pinned keys; it stamps nothing.
      const client = clientFor(config, organizationId, readOnlySession(''));
      const typed = code.trim().toUpperCase();
      const sealed = await sealCode(client, otpEncryptionTargetBundle, typed, key.publicKey);
      const verified = await callProxy(config, 'otp_verify_v2', {
        otpId,
        encryptedOtpBundle: sealed,
      });
      const token = String(
        (verified as { readonly verificationToken?: unknown }).verificationToken,
      );
      await startSession(config, client.as(attested(key, token)));
    });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isPending) return;
        void (sent === undefined ? begin() : enter(sent));
      }}
    >
      <TextField
        label={t('signIn.email')}
        type="email"
        inputMode="email"
        autocomplete="email"
        value={contact}
        onInput={(text) => {
          setContact(text);
          setSent(undefined);
        }}
        required
        autoFocus
      />
      {sent !== undefined && (
        <TextField
          label={t('signIn.code')}
          hint={t('signIn.codeHint')}
          autocomplete="one-time-code"
          value={code}
          onInput={setCode}
          required
          isCode
          autoFocus
        />
      )}
      <div class="buttons">
        <Button kind="primary" submits isBusy={isPending}>
          {t('signIn.continue')}
        </Button>
      </div>
    </form>
  );
}

/** Calls the onboarding proxy. Throws an error with the message of the service. */
async function callProxy(config: Config, endpoint: string, body: object): Promise<object> {
  const { authProxyUrl, authProxyConfigId = '' } = config;
  const answer = await watchedFetch(new URL(`/v1/${endpoint}`, authProxyUrl).href, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-proxy-config-id': authProxyConfigId },
    body: JSON.stringify(body),
  });
  const answered: { readonly message?: string } = await answer.json();
  if (!answer.ok)
    throw new Error(t('signIn.failed', { reason: answered.message ?? answer.status }));
  return answered;
}
