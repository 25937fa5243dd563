import { join } from 'node:path';
import { startLine } from './start.ts';

/* A LINE on this machine with a page that plays a phone, beside a Kotae that takes it for LINE: `npm run line:simulate`. */

const line = await startLine({
  port: Number(process.env['LINE_SIMULATOR_PORT'] ?? 4020),
  allowHttp: true,
  hasPhone: true,
  // A Kotae that is connected stays so when this one starts again.
  channel: { id: '2007654321', secret: '8c570fa6dd201bb328f1c1eac23a96d8' },
  keepIn: join(process.env['DATA_DIR'] ?? 'data', 'line-simulation.bin'),
  quota: { type: 'limited', value: 200 },
});
if (line.isNew) {
  const people = [
    line.user({ name: '花子', language: 'ja' }),
    line.user({ name: '太郎', language: 'ja' }),
    line.user({ name: 'Alex', language: 'en' }),
  ];
  line.group({ name: 'Team', members: people });
}
console.log(`The phone is ready: ${line.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
