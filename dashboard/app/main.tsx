// Starts the page: loads the configuration, restores the session, then shows the sign-in or a screen.

import '../components/css/all.css';
import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { Guarded, Problem } from '../components/states.tsx';
import { fetchScreenTexts, t } from '../messages/text.ts';
import { screens } from './screens.ts';
import { fetchConfig } from './session/config.ts';
import { ConfigProvider } from './session/context.ts';
import { removeWorkers } from './session/planted_workers.ts';
import { endWithCommand, followTabs, restoreSession, session } from './session/session.ts';
import { Shell } from './shell/shell.tsx';
import { applyTheme } from './shell/theme.ts';
import { SignIn } from './sign_in/sign_in.tsx';

function App() {
  return session.value === undefined ? <SignIn /> : <Shell screens={screens} />;
}

async function start(place: Element): Promise<void> {
  applyTheme();
  try {
    await removeWorkers();
    const config = await fetchConfig();
    await restoreSession(config);
    // The next screen needs them. It fetches them again if this attempt fails.
    fetchScreenTexts().catch(() => undefined);
    void endWithCommand(config);
    followTabs(config);
    render(
      <ConfigProvider value={config}>
        <LocationProvider scope="/dashboard">
          <Guarded of={config}>
            <App />
          </Guarded>
        </LocationProvider>
      </ConfigProvider>,
      place,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const again = () => location.reload();
    render(
      <main>
        <h1>{t('app.name')}</h1>
        <Problem error={new Error(t('signIn.withoutConfig', { reason }))} onAgain={again} />
      </main>,
      place,
    );
  }
}

const place = document.getElementById('page');
if (place !== null) void start(place);
