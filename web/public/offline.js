// What the page says that is shown without a network: in the language of last time, what was to be opened, and a way back.
(function () {
  const root = document.documentElement;
  let locale = navigator.language;
  let title = '';
  try {
    locale = localStorage.getItem('user-locale') || locale;
    const mode = localStorage.getItem('color-mode');
    if (mode === 'light' || mode === 'dark') root.style.colorScheme = mode;
    const last = JSON.parse(sessionStorage.getItem('open-page') || 'null');
    if (last && last.path === location.pathname) title = last.title;
  } catch {
    // Without a memory it is told all the same.
  }
  const isJapanese = locale.slice(0, 2) === 'ja';
  const say = (selector, text) => (document.querySelector(selector).textContent = text);
  root.lang = isJapanese ? 'ja' : 'en';
  const what = title || decoded(location.pathname);
  if (isJapanese) {
    say('h1', '接続できません');
    say('#text', 'ネットワークにつながると、自動で元のページに戻ります。');
    say('button', '再試行');
  }
  say('#what', isJapanese ? `開いていたページ：${what}` : `You were at: ${what}`);
  document.title = `${isJapanese ? '接続できません' : 'No connection'} · Kotae`;
  const again = () => location.reload();
  document.querySelector('button').addEventListener('click', again);
  // A device is often connected a moment before the server can be reached, and a server that was away says nothing by itself.
  setInterval(
    () =>
      fetch('/healthz', { cache: 'no-store' }).then(
        ({ ok }) => ok && again(),
        () => {},
      ),
    3000,
  );
  addEventListener('online', again);

  function decoded(path) {
    try {
      return decodeURI(path);
    } catch {
      return path;
    }
  }
})();
