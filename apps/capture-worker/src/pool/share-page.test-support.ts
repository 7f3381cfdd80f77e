/// <reference lib="dom" />
/** Writes down what a document finds, then leaves all the traces that a document can; tells both in its title. */
async function leaveTraces(frame: string | null) {
  const files = await navigator.storage.getDirectory();
  const look = async () => {
    const names: string[] = [];
    for await (const name of (files as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name);
    const found = {
      name: window.name !== '',
      cookie: document.cookie !== '',
      local: localStorage.length > 0,
      session: sessionStorage.length > 0,
      cache: (await caches.keys()).length > 0,
      database: (await indexedDB.databases()).length > 0,
      files: names.length > 0,
      worker: (await navigator.serviceWorker.getRegistrations()).length > 0,
      // A frame's is its page's.
      history: window === parent && history.length > 2,
    };
    const all = Object.entries(found).filter(([, there]) => there);
    return all.map(([what]) => what).join(' ') || 'nothing';
  };
  const found = await look();
  window.name = 'a name';
  // biome-ignore lint/suspicious/noDocumentCookie: it is what is tried.
  document.cookie = 'a=b';
  localStorage.setItem('a', 'b');
  sessionStorage.setItem('a', 'b');
  await caches.open('a');
  await new Promise((resolve) => {
    indexedDB.open('a').onsuccess = resolve;
  });
  await files.getFileHandle('a', { create: true });
  await navigator.serviceWorker.register('/worker.js');
  await navigator.serviceWorker.ready;
  for (const part of ['#a', '#b', '#c']) history.pushState(null, '', part);
  addEventListener('pagehide', () => sessionStorage.setItem('at the last', 'b'));
  const said = `found ${found}, left ${await look()}`;
  if (frame === null) return parent.postMessage(said, '*');
  addEventListener('message', ({ data }) => {
    document.title = `page: ${said}; frame: ${data}`;
    document.body.insertAdjacentHTML('beforeend', '<p id="done">');
  });
  document.body.insertAdjacentHTML('beforeend', `<iframe src="${frame}"></iframe>`);
}

/** @param frame the address of a frame that does the same. */
export function tracesPage(frame: string | null = null): string {
  return `<!doctype html><body>${frame === null ? '' : '<script src="/once.js"></script>'}<script>(${leaveTraces})(${JSON.stringify(frame)})</script>`;
}

/** Tells in its title what visitor it finds. */
async function tellEnvironment() {
  const place = new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve(coords.latitude),
      ({ code }) => resolve(`refused ${code}`),
    );
  });
  const image = new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve('loaded');
    image.onerror = () => resolve('none');
    image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
  });
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const media = ['print', '(prefers-color-scheme: dark)', '(prefers-reduced-motion)', '(orientation: portrait)'];
  document.title = JSON.stringify([
    innerWidth,
    innerHeight,
    devicePixelRatio,
    navigator.maxTouchPoints,
    'ontouchstart' in window,
    media.map((query) => Number(matchMedia(query).matches)),
    [locale, timeZone, navigator.language],
    navigator.userAgent.slice(0, 30),
    await place,
    await image,
    WebSocket.toString().length,
    getComputedStyle(document.querySelector('p') as Element).color,
  ]);
  document.body.insertAdjacentHTML('beforeend', '<b id="done"></b>');
}

export const environmentPage = `<!doctype html><body><p>text</p><script>(${tellEnvironment})()</script>`;
