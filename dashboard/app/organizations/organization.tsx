// Screen of one sub-organization. Its parent can only read it.

import { useRoute } from 'preact-iso';
import { activityTitle } from '../../../src/core/activity/activity_title.ts';
import { Icon } from '../../components/icons.tsx';
import { Screen } from '../../components/screen.tsx';
import { Copyable, Status, Terms, Time } from '../../components/small.tsx';
import { Empty, Loaded, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { number, t } from '../../messages/text.ts';
import { quorumMembers } from '../headlines/quorum_text.ts';
import { msOf, shown, submitterName } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';
import { type Organization, useOrganization } from './reads.ts';

export default function OrganizationScreen() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  const read = useOrganization(id);
  return (
    <Screen
      heading={read.data === undefined ? t('organizations.organization') : shown(read.data.name)}
    >
      <p class="notice">
        <Icon name="organizations" />
        <span>{t('organizations.readOnly')}</span>
      </p>
      <Loaded read={read}>
        {(organization) => (
          <>
            <Terms
              rows={[
                {
                  term: t('organizations.id'),
                  value: <Copyable text={organization.organizationId} />,
                  isDetail: true,
                },
                { term: t('organizations.quorum'), value: quorumText(organization) },
              ]}
            />
            <Users organization={organization} />
            <Wallets organization={organization} />
            <Policies organization={organization} />
          </>
        )}
      </Loaded>
      <Activities id={id} />
    </Screen>
  );
}

function quorumText({ rootQuorum, users }: Organization): string {
  const { threshold, userIds } = rootQuorum;
  const names = userIds.map((id) =>
    shown(users.find(({ userId }) => userId === id)?.userName ?? id),
  );
  return quorumMembers(threshold, names);
}

function Users({ organization }: { readonly organization: Organization }) {
  return (
    <Section title={t('organizations.users')}>
      <Table
        name={t('organizations.users')}
        rows={organization.users}
        keyOf={({ userId }) => userId}
        columns={{
          [t('activities.user')]: ({ userName }) => shown(userName),
          [t('organizations.email')]: ({ userEmail = '' }) => shown(userEmail),
          [t('organizations.credentials')]: {
            number: ({ apiKeys, authenticators, oauthProviders }) =>
              number(apiKeys.length + authenticators.length + oauthProviders.length),
          },
        }}
      />
    </Section>
  );
}

function Wallets({ organization }: { readonly organization: Organization }) {
  const { wallets } = organization;
  return (
    <Section title={t('screen.wallets')}>
      {wallets.length === 0 ? (
        <Empty text={t('wallets.empty')} />
      ) : (
        <Table
          name={t('screen.wallets')}
          rows={wallets}
          keyOf={({ walletId }) => walletId}
          columns={{
            [t('wallets.wallet')]: ({ walletName }) => shown(walletName),
            [t('wallets.id')]: ({ walletId }) => <code>{walletId}</code>,
            [t('wallets.created')]: ({ createdAt }) => <Time ms={msOf(createdAt)} />,
          }}
        />
      )}
    </Section>
  );
}

function Policies({ organization }: { readonly organization: Organization }) {
  const { policies } = organization;
  if (policies.length === 0) return null;
  return (
    <Section title={t('screen.policies')}>
      <Table
        name={t('screen.policies')}
        rows={policies}
        keyOf={({ policyId }) => policyId}
        columns={{
          [t('decision.policy')]: ({ policyName }) => shown(policyName),
          [t('decision.effect')]: ({ effect }) =>
            t(effect === 'EFFECT_DENY' ? 'decision.deny' : 'decision.allow'),
          [t('decision.condition')]: ({ condition }) => <code>{shown(condition)}</code>,
          [t('decision.consensus')]: ({ consensus }) => <code>{shown(consensus)}</code>,
        }}
      />
    </Section>
  );
}

const shownActivities = 10;

function Activities({ id }: { readonly id: string }) {
  const { client } = useSession();
  const read = useRead(['activities of', id], async (signal) => {
    const { activities } = await client
      .within(id)
      .query('list_activities', { paginationOptions: { limit: shownActivities } }, { signal });
    return activities;
  });
  return (
    <Section title={t('overview.recent')}>
      <Loaded read={read}>
        {(rows) => (
          <Table
            empty={<Empty text={t('activities.empty')} />}
            name={t('overview.recent')}
            rows={rows}
            keyOf={(activity) => activity.id}
            columns={{
              [t('activities.activity')]: ({ type }) => activityTitle(type),
              [t('activities.by')]: (activity) => shown(submitterName(activity)),
              [t('activities.when')]: ({ createdAt }) => <Time ms={msOf(createdAt)} />,
              [t('activities.state')]: ({ status }) => <Status status={status} />,
            }}
          />
        )}
      </Loaded>
    </Section>
  );
}
