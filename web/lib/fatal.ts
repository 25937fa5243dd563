import { ApiError } from './api.ts';
import { PageCodeError } from './page-code.ts';
import { createStore } from './store.ts';

const fatal = createStore<{ error: unknown } | undefined>(undefined);

/** What nobody expected and nobody has caught, wherever it was thrown. */
export const useFatal = fatal.use;
export const leaveFatal = () => fatal.set(undefined);

/** Code that did not come over the network, which is told by what needs it. */
const notFetched = new WeakSet<object>();

export function watchFatal(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => notFetched.add(payload));
  window.addEventListener('error', ({ error }) => consider(error));
  window.addEventListener('unhandledrejection', ({ reason }) => consider(reason));
}

/**
 * Notices of the browser bring no error along. What it has refused, or was told to end, is a DOMException, what the server has refused
 * an ApiError, and a question that was given up says so: none means that our code is broken.
 */
function consider(error: unknown): void {
  const { stack, message } = Object(error);
  if (typeof stack !== 'string' || message === 'CancelledError' || notFetched.has(Object(error))) return;
  if ([DOMException, ApiError, PageCodeError].some((kind) => error instanceof kind)) return;
  if (!isOurs(stack, String(message))) return;
  fatal.set({ error });
}

/** Whether it was not thrown in a script from elsewhere, as those of extensions are. Some browsers begin with what it says, which may name an address. */
function isOurs(stack: string, message: string): boolean {
  const place = stack
    .replace(message, '')
    .split('\n')
    .find((line) => line.includes('://'));
  return place === undefined || place.includes(`${window.location.origin}/`);
}
