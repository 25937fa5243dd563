import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import classes from './progress-bar.module.css';

/** A quick page shows no bar at all. */
const throttleMs = 200;
/** The pace of the bar, not its end: by then it has gone 70 % of its way, and it goes on more and more slowly until the page is there. */
const durationMs = 2000;
const stepMs = 100;
const shareAfter = (ms: number) => (200 / Math.PI) * Math.atan((2 * ms) / durationMs);
/** For this long it is seen to be whole. */
const wholeMs = 200;

/** How far the next page is, above everything. */
export default function ProgressBar({ label }: { label: string }) {
  const isLoading = useRouterState({ select: (state) => state.status === 'pending' });
  const [share, setShare] = useState<number>();

  useEffect(() => {
    if (!isLoading) return undefined;
    const begun = Date.now();
    const moving = setInterval(() => {
      const ms = Date.now() - begun - throttleMs;
      if (ms >= 0) setShare(shareAfter(ms));
    }, stepMs);
    return () => {
      clearInterval(moving);
      setShare((shown) => (shown === undefined ? undefined : 100));
    };
  }, [isLoading]);

  useEffect(() => {
    if (share !== 100) return undefined;
    const gone = setTimeout(() => setShare(undefined), wholeMs);
    return () => clearTimeout(gone);
  }, [share]);

  if (share === undefined) return null;
  return (
    <div
      className={classes['bar']}
      style={{ width: `${share}%` }}
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(share)}
    />
  );
}
