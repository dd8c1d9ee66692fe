// The frame around all screens: banner, navigation, announcements and the dialogs of the page.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Router, useLocation } from 'preact-iso';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon, Mark } from '../../components/icons.tsx';
import { Screen, waitingCount } from '../../components/screen.tsx';
import { Guarded } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf, type Screen as ScreenRow } from '../paths.ts';
import { shown } from '../service/activity_text.ts';
import { announcement } from '../service/announcements.ts';
import { follow } from '../service/live.ts';
import { readAgain } from '../service/queries.ts';
import { useInbox, useMe } from '../service/reads.ts';
import { useConfig, useSession } from '../session/context.ts';
import { isAway } from '../session/reach.ts';
import { isSessionOver } from '../session/session.ts';
import { SignInWays } from '../sign_in/sign_in.tsx';
import { AccountMenu } from './account_menu.tsx';
import { GoTo } from './go_to.tsx';
import { idleMinutes, useIdleEnd } from './idle.ts';
import { useNotices } from './notices.tsx';

export function Shell({ screens }: { readonly screens: readonly ScreenRow[] }) {
  const signedIn = useSession();
  usePairingLinks();
  const { path } = useLocation();
  const [isGoing, setGoing] = useState(false);
  const [showsMenu, setShowsMenu] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    void follow(signedIn, ended.signal);
    return () => ended.abort();
  }, [signedIn]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setGoing(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Banner
        onGoTo={() => setGoing(true)}
        onMenu={() => setShowsMenu(!showsMenu)}
        showsMenu={showsMenu}
      />
      <div class="body">
        <Navigation screens={screens} isShown={showsMenu} onChosen={() => setShowsMenu(false)} />
        <main id="content" tabIndex={-1}>
          <Notices />
          <Guarded of={path}>
            <Router>
              {[
                ...screens.map(({ path, component: Component }) => (
                  <Component key={path} path={routeOf(path)} />
                )),
                <NotFound key="none" default />,
              ]}
            </Router>
          </Guarded>
        </main>
      </div>
      <Announcements />
      {isGoing && <GoTo screens={screens} onClose={() => setGoing(false)} />}
      {isSessionOver.value && (
        <Dialog title={t('shell.signInAgain')} onClose={() => {}}>
          <p>{t('shell.sessionOver')}</p>
          <SignInWays />
        </Dialog>
      )}
    </>
  );
}

const pairing = '#/pair?';

/**
 * Opens the screen "Pair" for links of `keywright login`. Browsers do not send the part after `#` to the
 * server.
 */
function usePairingLinks(): void {
  const { route } = useLocation();
  useEffect(() => {
    const follow = () => {
      if (!location.hash.startsWith(pairing)) return;
      route(`${hrefOf('/pair')}#${location.hash.slice(pairing.length)}`, true);
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
}

const routeOf = (path: string): string => `/dashboard${path === '/' ? '' : path}`;

function Banner(props: {
  readonly onGoTo: () => void;
  readonly onMenu: () => void;
  readonly showsMenu: boolean;
}) {
  const { organizationName } = useSession();
  const { development } = useConfig();
  return (
    <header class="banner">
      <a class="skip" href="#content">
        {t('shell.skip')}
      </a>
      <div class="only-narrow">
        <Button kind="quiet" icon="menu" expanded={props.showsMenu} onClick={props.onMenu}>
          {t('shell.menu')}
        </Button>
      </div>
      <a class="home" href={hrefOf('/')}>
        <Mark />
        <span>{t('app.name')}</span>
      </a>
      <span class="organization">{shown(organizationName)}</span>
      {development && <span class="badge development">{t('app.development')}</span>}
      <WritingBadge />
      <div class="banner-end">
        <Button kind="quiet" icon="search" popup="dialog" onClick={props.onGoTo}>
          {t('shell.goTo')}
        </Button>
        <AccountMenu />
      </div>
    </header>
  );
}

function Navigation(props: {
  readonly screens: readonly ScreenRow[];
  readonly isShown: boolean;
  readonly onChosen: () => void;
}) {
  const { path } = useLocation();
  const { data } = useInbox();
  const inbox = data ?? [];
  useNotices(data?.map(({ id }) => id));
  useEffect(() => {
    waitingCount.value = inbox.length;
  }, [inbox.length]);
  const { development } = useConfig();
  const links = props.screens
    .flatMap(({ path: to, link }) => (link === undefined ? [] : [{ path: to, ...link }]))
    .filter(({ isForDevelopment }) => development || isForDevelopment !== true);
  const groups = Map.groupBy(links, ({ group }) => group);
  const isCurrent = (of: string) =>
    of === '/'
      ? path === '/dashboard' || path === '/dashboard/'
      : path.startsWith(`/dashboard${of}`);
  return (
    <nav aria-label={t('shell.main')} class={props.isShown ? 'shown' : undefined}>
      {[...groups].map(([group, all]) => (
        <div key={group} class="nav-group">
          <p>{t(group)}</p>
          <ul>
            {all.map((link) => (
              <li key={link.path}>
                <a
                  href={hrefOf(link.path)}
                  aria-current={isCurrent(link.path) ? 'page' : undefined}
                  onClick={props.onChosen}
                >
                  <Icon name={link.icon} />
                  <span>{t(link.name)}</span>
                </a>
                {link.path === '/approvals' && inbox.length > 0 && (
                  <span class="count" aria-hidden="true">
                    {inbox.length}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Warns that the session can write without a passkey, because the user has none. */
function WritingBadge() {
  const { data: me } = useMe();
  const writes = me !== undefined && me.authenticators.length === 0;
  useIdleEnd(writes);
  if (!writes) return null;
  const text = t('shell.sessionWrites', { minutes: idleMinutes });
  return (
    <span class="badge development" title={text}>
      {t('shell.writes')}
      <span class="hidden">{text}</span>
    </span>
  );
}

/** Shows a notice while the service is unreachable. */
function Notices() {
  const away = isAway.value;
  const wasAway = useRef(false);
  useEffect(() => {
    if (wasAway.current && !away) void readAgain();
    wasAway.current = away;
  }, [away]);
  return (
    <>
      {away && (
        <div role="alert" class="alert">
          <Icon name="warning" />
          <p>{t('shell.away')}</p>
        </div>
      )}
    </>
  );
}

function Announcements() {
  const current = announcement.value;
  return (
    <div role="status" class="toast">
      {current !== undefined && (
        <p>
          {current.text}{' '}
          {current.activityId !== undefined && (
            <a href={hrefOf(`/activities/${current.activityId}`)}>{t('state.openActivity')}</a>
          )}
        </p>
      )}
    </div>
  );
}

function NotFound(_props: { readonly default?: boolean }) {
  return (
    <Screen heading={t('shell.notFound')}>
      <p>{t('shell.notFoundText')}</p>
    </Screen>
  );
}
