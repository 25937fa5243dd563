import { defineConfig } from 'vitest/config';

const shared = { testTimeout: 20_000, hookTimeout: 60_000 };

/** The server's tests run once on each engine; Postgres joins when TEST_DATABASE_URL names one. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'sqlite',
          include: ['{server,shared,scripts,web,widget}/**/*.test.ts'],
          env: { TEST_ENGINE: 'sqlite', NODE_NO_WARNINGS: '1' },
        },
      },
      {
        test: {
          ...shared,
          name: 'components',
          include: ['**/*.test.tsx'],
          environment: 'happy-dom',
          isolate: false, // each test cleans up after itself; Mantine is read once, which takes a third of the time
          environmentOptions: { happyDOM: { settings: { device: { prefersReducedMotion: 'reduce' } } } },
          setupFiles: ['web/testing/setup.ts'],
          env: { TZ: 'Asia/Tokyo' },
        },
      },
      ...(process.env['TEST_DATABASE_URL']
        ? [
            {
              test: {
                ...shared,
                name: 'postgres',
                include: ['server/features/**/*.test.ts', 'server/kill.test.ts'],
                env: { TEST_ENGINE: 'postgres', NODE_NO_WARNINGS: '1' },
              },
            },
          ]
        : []),
    ],
    maxWorkers: 2,
  },
});
