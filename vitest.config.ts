import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest begins first, so that one worker is not left with it at the end. */
const longest = ['server/{kill,given}.test.ts', 'hostile-input.test.ts', 'knowledge.test.ts', 'parse-file.test.ts'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(name));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

/** `npm test -- --sequence.shuffle` looks for tests that need others to have run before. */
const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'));

const shared = {
  // Several seconds alone, and several times that where the machine has other work.
  testTimeout: 60_000,
  hookTimeout: 90_000,
  // Each test cleans up after itself, so a worker reads the code once and not for each file: 40 % of the processor's time.
  isolate: false,
};

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
                include: [
                  'server/features/**/*.test.ts',
                  'server/infra/{infra,queue,recurring}.test.ts',
                  'server/{kill,given}.test.ts',
                ],
                // What reads files and texts, or waits for bodies, knows no database.
                exclude: [
                  'server/features/{growth,slow-uploads}.test.ts',
                  'server/features/knowledge/{chunking,parse-file,scans}.test.ts',
                ],
                env: { TEST_ENGINE: 'postgres', NODE_NO_WARNINGS: '1' },
              },
            },
          ]
        : []),
    ],
    globalSetup: ['server/testing/template.ts'],
    // Tests wait for databases, leases and each other for a third of their time, so two processors have work for three.
    maxWorkers: availableParallelism() + 1,
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    reporters: ['default', 'json'],
    outputFile: { json: 'node_modules/.cache/times/tests.json' },
  },
});
