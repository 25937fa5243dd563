// Before the first paint: the colours and the language of last time, so that nothing flashes.
(function () {
  var root = document.documentElement;
  var mode = 'auto';
  try {
    mode = localStorage.getItem('color-mode') || 'auto';
    var locale = localStorage.getItem('user-locale') || navigator.language;
    root.lang = locale.slice(0, 2) === 'ja' ? 'ja' : 'en';
  } catch {
    root.lang = 'en';
  }
  var dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
