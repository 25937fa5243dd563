// Before the first paint: the colours and the language of last time, so that nothing flashes; and what the page will need is asked
// for at once, where somebody was signed in here.
(function () {
  var root = document.documentElement;
  var mode;
  var wasSignedIn = false;
  try {
    wasSignedIn = localStorage.getItem('session-known') === 'true';
    mode = localStorage.getItem('color-mode');
    var locale = localStorage.getItem('user-locale') || navigator.language;
    root.lang = locale.slice(0, 2) === 'ja' ? 'ja' : 'en';
  } catch {
    root.lang = 'en';
  }
  var isChosen = mode === 'light' || mode === 'dark';
  var dark = isChosen ? mode === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  // Whoever chose a mode has the bar of the window in it, too.
  if (isChosen)
    document.querySelectorAll('meta[name=theme-color]').forEach(function (meta) {
      meta.content = dark ? '#0e1310' : '#f6f8f4';
    });
  var manifest = document.createElement('link');
  manifest.rel = 'manifest';
  manifest.href = '/manifest.' + root.lang + '.webmanifest';
  document.head.appendChild(manifest);

  // A page kept from an older build names scripts that are gone: what it says then has to be here.
  addEventListener(
    'error',
    function (event) {
      var script = event.target;
      var place = document.getElementById('root');
      // Only ours, and only while nothing is drawn.
      if (!script || script.tagName !== 'SCRIPT' || !place || place.childElementCount > 1) return;
      if (
        script.src.slice(0, location.origin.length + 1) !== location.origin + '/' ||
        place.querySelector('[role=alert]')
      )
        return;
      var isJapanese = root.lang === 'ja';
      var box = document.createElement('p');
      var button = document.createElement('button');
      box.setAttribute('role', 'alert');
      box.style.cssText = 'position:fixed;inset:55% 16px auto;text-align:center;font:14px/1.7 system-ui,sans-serif';
      box.append(
        isJapanese ? '画面を読み込めませんでした。' : 'The page could not be loaded.',
        document.createElement('br'),
        button,
      );
      button.textContent = isJapanese ? '再読み込み' : 'Reload';
      button.style.cssText = 'margin-top:8px;min-height:44px;padding:0 20px;font:inherit';
      button.addEventListener('click', function () {
        location.reload();
      });
      place.append(box);
      button.focus();
    },
    true,
  );

  var given = document.currentScript.dataset.parts;
  if (given[0] !== '{') return;
  var parts = JSON.parse(given);
  var isChat = /^\/Bot\/[^/]+\/Chat$/.test(location.pathname);
  var hasAnswers = isChat && /[?&]thread=/.test(location.search);
  var wanted = wasSignedIn
    ? [root.lang, 'shell'].concat(isChat ? ['chat', 'chat_' + root.lang] : [], hasAnswers ? ['answers'] : [])
    : [root.lang];
  wanted.forEach(function (name) {
    parts[name].forEach(function (file) {
      var link = document.createElement('link');
      var isStyle = file.endsWith('css');
      link.rel = isStyle ? 'preload' : 'modulepreload';
      if (isStyle) link.as = 'style';
      link.crossOrigin = '';
      link.href = '/' + file;
      document.head.appendChild(link);
    });
  });
})();
