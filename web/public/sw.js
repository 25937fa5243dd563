// What the app does while no page of it is open: it shows notices, and says so when there is no network. It keeps the page that says
// so and nothing else, no answer of the server and no other page.
const shelf = 'offline-1';
const shell = ['/offline.html', '/offline.js', '/favicon.svg'];

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(shelf)
      .then((kept) => kept.addAll(shell.map((path) => new Request(path, { cache: 'reload' }))))
      .then(() => skipWaiting()),
  );
});

addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      caches
        .keys()
        .then((names) => Promise.all(names.filter((name) => name !== shelf).map((name) => caches.delete(name)))),
      // It would ask for addresses that are none of ours here a second time, and some of those open once only.
      registration.navigationPreload?.disable(),
      clients.claim(),
    ]),
  );
});

const others = /^\/(api|v1|docs|widget|services)(\/|$)/;

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === 'navigate' && request.method === 'GET' && origin === location.origin && !others.test(pathname))
    event.respondWith(open(request));
  // The shell's own parts, when it is drawn without a network.
  else if (origin === location.origin && shell.includes(pathname))
    event.respondWith(fetch(request).catch(async () => (await caches.match(pathname)) ?? Response.error()));
});

async function open(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match('/offline.html');
    if (!kept) throw error;
    return kept;
  }
}

addEventListener('push', (event) => {
  let notice = {};
  try {
    notice = event.data?.json() ?? {};
  } catch {
    // Something is shown all the same: a browser takes the permission away from who shows nothing.
  }
  const { title = 'Kotae', body = '', lang = '', tag = 'kotae', url = '/Friend' } = notice;
  event.waitUntil(
    registration.showNotification(title, {
      body,
      lang,
      tag,
      renotify: true,
      icon: '/icons/192.png',
      badge: '/icons/badge-96.png',
      data: { url },
    }),
  );
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  const address = new URL(event.notification.data?.url ?? '/Friend', location.origin);
  if (address.origin === location.origin) event.waitUntil(show(address.pathname + address.search));
});

/** A page that is open goes there by itself, so that unsaved work is asked about; without one, a new one opens. */
async function show(path) {
  const pages = (await clients.matchAll({ type: 'window', includeUncontrolled: true })).filter(
    ({ url }) => !others.test(new URL(url).pathname),
  );
  const there = pages.find(({ url }) => new URL(url).pathname + new URL(url).search === path);
  const page = there ?? pages.find(({ focused }) => focused) ?? pages[0];
  if (!page) return void (await clients.openWindow(path));
  await page.focus().catch(() => {});
  if (!there) page.postMessage({ type: 'open', path });
}
