// The tabs of one browser profile: what one tab does with the session, the others follow.

/** A notice of another tab. `publicKey` names the session that the notice is about. */
type TabNotice = {
  readonly kind: 'signed out' | 'signed in' | 'used';
  readonly publicKey: string;
};

const channel = new BroadcastChannel('keywright session');

/** Sends a notice to the other tabs of this origin. */
export const notifyTabs = (notice: TabNotice): void => channel.postMessage(notice);

/** Calls back with each notice of another tab. Returns a function that stops it. */
export function onTabNotice(use: (notice: TabNotice) => void): () => void {
  const listen = ({ data }: MessageEvent<TabNotice>) => use(data);
  channel.addEventListener('message', listen);
  return () => channel.removeEventListener('message', listen);
}
