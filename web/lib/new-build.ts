const pollMs = 60_000;

/** Tells once when the server has newer pages than these. */
export function watchBuild(onNew: () => void): () => void {
  const mine = document.querySelector<HTMLMetaElement>('meta[name="kotae-build"]')?.content ?? '';
  if (!mine || mine.startsWith('%')) return () => {};
  let isOver = false;
  const look = async () => {
    if (isOver || document.visibilityState !== 'visible') return;
    const latest: { build?: string } = await fetch('/latest-build.json', { cache: 'no-store' }).then((response) => response.json()).catch(() => ({}));
    if (isOver || !latest.build || latest.build === mine) return;
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
