// Notices between the tabs of one browser profile about the session.

/** A notice of another tab. `publicKey` identifies the session. */
type TabNotice = {
  readonly kind: 'signed out' | 'signed in' | 'used';
  readonly publicKey: string;
};

const channel = new BroadcastChannel('keywright session');

/** Sends a notice to the other tabs of this origin. */
export const notifyTabs = (notice: TabNotice): void => channel.postMessage(notice);

/** Calls back for each notice of another tab. Returns a function that unsubscribes. */
export function onTabNotice(use: (notice: TabNotice) => void): () => void {
  const listen = ({ data }: MessageEvent<TabNotice>) => use(data);
  channel.addEventListener('message', listen);
  return () => channel.removeEventListener('message', listen);
}
