import { defineConfig } from '@playwright/test';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const executablePath = process.env['CHROMIUM_PATH'];

/** Every journey starts a server of its own on a free port, so they may run side by side. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/warm.ts',
  testMatch: '*.e2e.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: 'node_modules/.cache/times/journeys.json' }]],
  forbidOnly: true,
  use: {
    actionTimeout: 20_000,
    // Journeys that set an answer aside or cut the network look at the page itself; the worker has a journey of its own.
    serviceWorkers: 'block',
    launchOptions: { args: flags, ...(executablePath && { executablePath }) },
    // A trace slows every journey by a quarter; `npm run e2e -- --trace=retain-on-failure` keeps those of what fails.
    screenshot: 'only-on-failure',
  },
});
