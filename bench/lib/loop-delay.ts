/** Loaded into a server with --import: on SIGUSR2 it writes how long the event loop was held up since the last time, in ms. */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const file = process.env['LOOP_DELAY_FILE'];
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('SIGUSR2', () => {
  // A sample is the time between two ticks of the timer; what is over its own 5 ms is delay.
  if (file)
    writeFileSync(
      file,
      JSON.stringify({ p99: Math.max(0, delay.percentile(99) / 1e6 - 5), max: Math.max(0, delay.max / 1e6 - 5) }),
    );
  delay.reset();
});
