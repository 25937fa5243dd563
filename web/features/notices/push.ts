import { notices, type Notices } from '../../../shared/contracts/notices.ts';
import { call } from '../../lib/api.ts';
import { startWorker } from '../../lib/worker.ts';

/** How it stands with notices of this browser, as far as the browser says. */
export type PushState = 'on' | 'off' | 'unsupported' | 'insecure' | 'install' | 'blocked';

/** Phones and tablets of Apple have notices only for what is on the home screen; an iPad says that it is a Mac. */
const isApple = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
const isInstalled = () => window.matchMedia('(display-mode: standalone)').matches;

export async function readPushState({ push }: Notices): Promise<PushState> {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return isApple() && !isInstalled() ? 'install' : 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const registration = await navigator.serviceWorker.getRegistration('/');
  const kept = await registration?.pushManager.getSubscription();
  return push.here && kept && Notification.permission === 'granted' ? 'on' : 'off';
}

export class PushRefusedError extends Error {
  readonly reason: 'blocked' | 'dismissed' | 'unreachable';
  constructor(reason: PushRefusedError['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** Asks the person and the browser, and tells the server. Throws `PushRefusedError` for what either says no to. */
export async function turnPushOn({ push }: Notices): Promise<Notices> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') throw new PushRefusedError(permission === 'denied' ? 'blocked' : 'dismissed');
  const registration = await startWorker();
  const kept = await registration.pushManager.getSubscription();
  // One that was made for another key, before the server was set up anew, is of no use.
  if (kept && keyOf(kept) !== push.key) await kept.unsubscribe();
  const made = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(push.key) })
    .catch(() => {
      throw new PushRefusedError('unreachable');
    });
  const { endpoint = '', keys = {} } = made.toJSON();
  const { p256dh = '', auth = '' } = keys;
  return (await call(notices.subscribe, { body: { endpoint, keys: { p256dh, auth } }, anywhere: true })).data;
}

export async function turnPushOff(): Promise<Notices> {
  const { data } = await call(notices.unsubscribe, { anywhere: true });
  const registration = await navigator.serviceWorker.getRegistration('/');
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  return data;
}

const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
