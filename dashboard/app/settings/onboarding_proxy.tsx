// Section "Onboarding proxy": the public endpoints for sign-ups and for logins by code.

import { useState } from 'preact/hooks';
import type { Client } from '../../../src/client/connect.ts';
import { RequestFailed } from '../../../src/client/errors.ts';
import type { Queries } from '../../../src/client/generated/operations.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { TextField } from '../../components/field.tsx';
import { Outcome, PasskeyPrompt } from '../../components/form.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { Copyable, Terms } from '../../components/small.tsx';
import { Loaded, Section } from '../../components/states.tsx';
import { known, listText, number, t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { requestOf, useWrite } from '../service/write.ts';
import { useSession } from '../session/context.ts';

type Proxy = Queries['get_auth_proxy_config']['result'];

export function OnboardingProxy() {
  const { client } = useSession();
  const [openDialog, setOpenDialog] = useState<'change' | 'disable'>();
  const read = useRead(['auth proxy'], (signal) => proxyOf(client, signal));
  const proxy = read.data?.proxy;
  const close = () => setOpenDialog(undefined);
  return (
    <Section
      title={t('settings.proxy')}
      actions={
        proxy?.isActive && (
          <div class="buttons">
            <Button popup="dialog" onClick={() => setOpenDialog('change')}>
              {t('settings.changeProxy')}
            </Button>
            <Button kind="danger" popup="dialog" onClick={() => setOpenDialog('disable')}>
              {t('settings.disableProxy')}
            </Button>
          </div>
        )
      }
    >
      <Loaded read={read}>
        {(found) => (found.proxy?.isActive ? <Shown proxy={found.proxy} /> : <Enable />)}
      </Loaded>
      {proxy && openDialog === 'change' && <ChangeProxy proxy={proxy} onClose={close} />}
      {proxy && openDialog === 'disable' && <DisableProxy onClose={close} />}
    </Section>
  );
}

/** Returns an empty object if the organization has no configuration. */
async function proxyOf(client: Client, signal: AbortSignal): Promise<{ readonly proxy?: Proxy }> {
  try {
    return { proxy: await client.query('get_auth_proxy_config', {}, { signal }) };
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 404) return {};
    throw error;
  }
}

const methodText = (method: string): string =>
  known(`login.${method}`, shown(method.charAt(0).toUpperCase() + method.slice(1)));

function Shown({ proxy: { configId, settings } }: { readonly proxy: Proxy }) {
  const { allowedOrigins = [], allowedAuthMethods = [], sessionExpirationSeconds } = settings;
  return (
    <Terms
      rows={[
        { term: t('settings.proxyId'), value: <Copyable text={configId} />, isDetail: true },
        {
          term: t('settings.origins'),
          value: listText(allowedOrigins.map(shown)) || t('settings.noOrigins'),
        },
        {
          term: t('settings.methods'),
          value: listText(allowedAuthMethods.map(methodText)) || t('users.none'),
        },
        ...(sessionExpirationSeconds === undefined
          ? []
          : [{ term: t('settings.sessionSeconds'), value: number(sessionExpirationSeconds) }]),
      ]}
    />
  );
}

function Enable() {
  const write = useWrite();
  const enable = () =>
    write.send((client) => client.ask('enable_auth_proxy', {}), t('settings.proxyEnabled'));
  return (
    <>
      <p class="hint">{t('settings.proxyOff')}</p>
      <div class="buttons">
        <Button isBusy={write.writing.isPending} onClick={() => void enable()}>
          {t('settings.enableProxy')}
        </Button>
        <PasskeyPrompt />
      </div>
      <Outcome write={write} />
    </>
  );
}

function ChangeProxy({ proxy, onClose }: { readonly proxy: Proxy; readonly onClose: () => void }) {
  const [text, setText] = useState((proxy.settings.allowedOrigins ?? []).join('\n'));
  const allowedOrigins = text.split(/\s+/).filter((origin) => origin !== '');
  const request = () => requestOf('update_auth_proxy_config', { allowedOrigins });
  return (
    <RequestDialog
      title={t('settings.changeProxy')}
      request={request}
      said={t('settings.proxyChanged')}
      submitLabel={t('action.save')}
      onClose={onClose}
    >
      <TextField
        label={t('settings.origins')}
        hint={t('settings.originsHint')}
        value={text}
        onInput={setText}
        rows={4}
        isCode
        autoFocus
      />
    </RequestDialog>
  );
}

function DisableProxy({ onClose }: { readonly onClose: () => void }) {
  const request = () => requestOf('disable_auth_proxy', {});
  return (
    <Confirm
      title={t('settings.disableProxy')}
      text={t('settings.disableProxyLost')}
      name={t('settings.proxy')}
      request={request}
      said={t('settings.proxyDisabled')}
      submitLabel={t('settings.disable')}
      onClose={onClose}
    />
  );
}
