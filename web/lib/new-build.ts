const pollMs = 60_000;

const mine = () => document.querySelector<HTMLMetaElement>('meta[name="kotae-build"]')?.content ?? '';

/** Whether the server has newer pages than these; not while it cannot be reached. */
export async function hasNewBuild(): Promise<boolean> {
  const latest: { build?: string } = await fetch('/latest-build.json', { cache: 'no-store' })
    .then((response) => response.json())
    .catch(() => ({}));
  return Boolean(latest.build) && latest.build !== mine();
}

/** Tells once when the server has newer pages than these. */
export function watchBuild(onNew: () => void): () => void {
  if (!mine() || mine().startsWith('%')) return () => {};
  let isOver = false;
  const look = async () => {
    if (isOver || document.visibilityState !== 'visible') return;
    if (!(await hasNewBuild()) || isOver) return;
    isOver = true;
    onNew();
  };
  const timer = setInterval(() => void look(), pollMs);
  const onFocus = () => void look();
  window.addEventListener('focus', onFocus);
  return () => {
    isOver = true;
    clearInterval(timer);
    window.removeEventListener('focus', onFocus);
  };
}
