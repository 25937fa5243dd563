import { Session } from 'node:inspector';
import { performance } from 'node:perf_hooks';

const everyMs = 10_000;
const idleShare = 0.02;
/** Collecting takes a tenth of a second, which less than this is not worth. */
const worthBytes = 16 * 1024 * 1024;

/**
 * Gives memory back once there is nothing to do. V8 itself would keep what a start or a busy time took: its new space alone is
 * 32 MB after a start, of which 1 MB is needed. Idle after a start: 160 MB → 121 MB.
 */
export function giveBackWhenIdle(): void {
  let kept = 0;
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > idleShare || process.memoryUsage.rss() < kept + worthBytes) return;
    // What the first round lets go of is freed by the second.
    collect(() => collect(() => (kept = process.memoryUsage.rss())));
  }, everyMs).unref();
}

/** Through the inspector, because V8's own `gc` needs a second context, which costs every stream a tenth of its processor time. */
function collect(onDone: () => void): void {
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.collectGarbage', () => {
    // V8 still holds the profiler's lock here, so collecting now would deadlock.
    setImmediate(() => {
      session.disconnect();
      onDone();
    });
  });
}
