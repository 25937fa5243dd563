// Before the first paint: the colours and the language of last time, so that nothing flashes; and what the page will need is asked
// for at once, where somebody was signed in here.
(function () {
  var root = document.documentElement;
  var mode = 'auto';
  var wasSignedIn = false;
  try {
    wasSignedIn = localStorage.getItem('session-known') === 'true';
    mode = localStorage.getItem('color-mode') || 'auto';
    var locale = localStorage.getItem('user-locale') || navigator.language;
    root.lang = locale.slice(0, 2) === 'ja' ? 'ja' : 'en';
  } catch {
    root.lang = 'en';
  }
  var dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

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
