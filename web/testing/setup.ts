import { cleanup, configure } from '@testing-library/react';
import { notifications } from '@mantine/notifications';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { i18n, startI18n } from '../lib/i18n.ts';
import { resetSession } from '../lib/session.ts';

const namespaces = Object.keys(
  import.meta.glob(['../../shared/locales/en/*.json', '!**/*-server.json', '!**/mail.json']),
).map((file) => file.slice(file.lastIndexOf('/') + 1, -'.json'.length));

/** In English, with every text there, so that no test waits for one. */
beforeAll(async () => {
  await startI18n();
  await i18n.loadNamespaces(namespaces);
});

// Its second is not enough for a first render where the machine has other work, and it does not look again when it is over.
configure({ asyncUtilTimeout: 20_000 });

// What a field that grows with its text listens to; the library has no fonts.
Object.assign(document, { fonts: new EventTarget() });

// The library loads no frames, and complains of each: here they are empty, and their windows hear what they are told.
const frames = new WeakMap<HTMLIFrameElement, object>();
HTMLIFrameElement.prototype.getAttribute = function getAttribute(name) {
  return name === 'srcdoc' ? '' : Element.prototype.getAttribute.call(this, name);
};
Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
  get(this: HTMLIFrameElement) {
    const found = frames.get(this) ?? Object.assign(new EventTarget(), { postMessage: () => {} });
    frames.set(this, found);
    return found;
  },
});

beforeEach(() => {
  vi.spyOn(console, 'error');
  vi.stubGlobal('fetch', (address: string) =>
    Promise.reject(new Error(`This test has no server for ${address}; give it one with \`serve\`.`)),
  );
});

afterEach(() => {
  cleanup();
  // They outlive the page, and only four are shown at once.
  notifications.clean();
  expect(console.error).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  // Files of one worker share it, and who is signed in sees more.
  resetSession();
  localStorage.clear();
  sessionStorage.clear();
});
