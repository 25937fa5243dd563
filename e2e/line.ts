import type { FakeLine } from '../server/testing/line/fake-line.ts';
import { startLine } from '../server/testing/line/start.ts';
import { complaintsOf, expect, openKotae, test as base, type Kotae } from './server.ts';

/** A journey has a LINE and a server of its own that takes it for LINE. */
export const test = base.extend<{ line: FakeLine; kotae: Kotae }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  line: async ({}, use) => {
    const line = await startLine({
      allowHttp: true,
      bot: { displayName: 'Hinata Coffee', basicId: '@hinata', chatMode: 'bot' },
      quota: { type: 'limited', value: 200 },
    });
    await use(line);
    line.mustBeValid();
    await line.close();
  },
  kotae: async ({ page, line }, use) => {
    const kotae = await openKotae({ LINE_API_URL: line.url, ALLOW_PRIVATE_HOSTS: new URL(line.url).host });
    const complaints = complaintsOf(page);
    await use(kotae);
    await page.close();
    await kotae.close();
    expect(complaints).toEqual([]);
  },
});
