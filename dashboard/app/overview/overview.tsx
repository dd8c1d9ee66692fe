// Screen "Overview": the next steps, waiting activities, recent activities, and warnings.

import type { ComponentChildren } from 'preact';
import { Button } from '../../components/button.tsx';
import { Outcome, PasskeyPrompt } from '../../components/form.tsx';
import { Icon } from '../../components/icons.tsx';
import { later } from '../../components/later.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty, Loaded, Section } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { ActivityTable } from '../activities/activity_table.tsx';
import { hrefOf } from '../paths.ts';
import { rowOf } from '../service/activity_pages.ts';
import { together, useRead } from '../service/queries.ts';
import { type Configs, useConfigs, useMe, useWallets } from '../service/reads.ts';
import { useWrite } from '../service/write.ts';
import { useConfig, useSession } from '../session/context.ts';
import { newPasskey } from '../session/passkeys.ts';
import { LetSessionsRead, useSessionsRead } from './session_reads.tsx';
import { Today } from './today.tsx';
import { Waiting } from './waiting.tsx';
import { Warnings } from './warnings.tsx';

const Health = later<object>(() => import('./health.tsx'));

export default function Overview() {
  return (
    <Screen heading={t('screen.overview')}>
      <div class="columns">
        <Waiting />
        <NextSteps />
        <Today />
        <Warnings />
        <Health />
      </div>
      <Recent />
    </Screen>
  );
}

function NextSteps() {
  const read = together(useMe(), useWallets(), useConfigs(), useSessionsRead());
  return (
    <Section title={t('overview.next')}>
      <Loaded read={read}>
        {([me, wallets, { quorum }, { isHeld }]) => (
          <Steps
            hasPasskey={me.authenticators.length > 0}
            hasWallet={wallets.length > 0}
            quorum={quorum}
            sessionsRead={isHeld}
          />
        )}
      </Loaded>
    </Section>
  );
}

function Steps(props: {
  readonly hasPasskey: boolean;
  readonly hasWallet: boolean;
  readonly quorum: Configs['quorum'];
  readonly sessionsRead: boolean;
}) {
  const { hasPasskey, hasWallet, quorum, sessionsRead } = props;
  const { passkeys } = useConfig();
  const isAlone = quorum.threshold === 1;
  return (
    <ul class="steps">
      <Step
        isDone={hasPasskey}
        name={t('overview.stepPasskey')}
        text={t('overview.stepPasskeyText')}
      >
        {!hasPasskey && <AddPasskey />}
      </Step>
      <Step isDone={hasWallet} name={t('overview.stepWallet')} text={t('overview.stepWalletText')}>
        <a href={hrefOf('/wallets')}>{t('screen.wallets')}</a>
      </Step>
      <Step
        isDone={quorum.userIds.length > 1}
        name={t('overview.stepMember')}
        text={t('overview.stepMemberText')}
      />
      <Step
        isDone={sessionsRead}
        name={t('overview.stepSession')}
        text={t(isAlone ? 'overview.stepSessionAlone' : 'overview.stepSessionText')}
      >
        {hasPasskey && passkeys !== false && !sessionsRead && <LetSessionsRead />}
      </Step>
      <Step isDone={false} name={t('overview.stepKeyFile')} text={t('overview.stepKeyFileText')} />
    </ul>
  );
}

function Step(props: {
  readonly isDone: boolean;
  readonly name: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}) {
  const { isDone, name, text, children } = props;
  return (
    <li class={isDone ? 'done' : undefined}>
      <Icon name={isDone ? 'check' : 'clock'} />
      <div>
        <h3>
          {name} <span class="hint">({t(isDone ? 'overview.done' : 'overview.open')})</span>
        </h3>
        {!isDone && <p class="hint">{text}</p>}
      </div>
      {!isDone && <div>{children}</div>}
    </li>
  );
}

function AddPasskey() {
  const config = useConfig();
  const { userId, userName } = useSession();
  const write = useWrite();
  const add = () =>
    write.send(async (client) => {
      const made = await newPasskey(config, { userId, userName });
      return client.ask('create_authenticators', { userId, authenticators: [made] });
    }, t('passkey.added'));
  if (config.passkeys === false) return <p class="hint">{t('passkey.elsewhere')}</p>;
  return (
    <>
      <Button icon="passkey" isBusy={write.writing.isPending} onClick={() => void add()}>
        {t('overview.addPasskey')}
      </Button>
      <PasskeyPrompt />
      <Outcome write={write} />
    </>
  );
}

const recentCount = 5;

function Recent() {
  const { client } = useSession();
  const recent = useRead(['activities', 'recent'], async (signal) => {
    const paginationOptions = { limit: String(recentCount) };
    const page = await client.query('list_activities', { paginationOptions }, { signal });
    return page.activities.map(rowOf);
  });
  return (
    <Section
      title={t('overview.recent')}
      actions={<a href={hrefOf('/activities')}>{t('overview.all')}</a>}
    >
      <Loaded read={recent}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty text={t('activities.empty')} />
          ) : (
            <ActivityTable name={t('overview.recent')} pages={[rows]} />
          )
        }
      </Loaded>
    </Section>
  );
}
