/// <reference lib="dom" />
/** Records the traces that a document finds, leaves every trace that it can, and puts both into its title. */
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
      // A frame shares its page's history.
      history: window === parent && history.length > 2,
    };
    const traces = Object.entries(found).filter(([, exists]) => exists);
    return traces.map(([name]) => name).join(' ') || 'nothing';
  };
  const found = await look();
  window.name = 'a name';
  // biome-ignore lint/suspicious/noDocumentCookie: this is what the test tries.
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
  addEventListener('pagehide', () => sessionStorage.setItem('at-pagehide', 'b'));
  const result = `found ${found}, left ${await look()}`;
  if (frame === null) return parent.postMessage(result, '*');
  addEventListener('message', ({ data }) => {
    document.title = `page: ${result}; frame: ${data}`;
    document.body.insertAdjacentHTML('beforeend', '<p id="done">');
  });
  document.body.insertAdjacentHTML('beforeend', `<iframe src="${frame}"></iframe>`);
}

/** @param frame the URL of a frame that also records and leaves traces. */
export function tracesPage(frame: string | null = null): string {
  return `<!doctype html><body><script>(${leaveTraces})(${JSON.stringify(frame)})</script>`;
}

/** Puts the emulation that the page finds into its title. */
async function showEnvironment() {
  const position = new Promise((resolve) => {
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
  const ofWorker = new Promise<string>((resolve) => {
    const script = new Blob(['postMessage(navigator.userAgent)'], { type: 'text/javascript' });
    new Worker(URL.createObjectURL(script)).onmessage = ({ data }) => resolve(data);
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
    [navigator.userAgent, await ofWorker].map((userAgent) => userAgent.slice(0, 30)),
    'userAgentData' in navigator && JSON.stringify(navigator.userAgentData).length,
    await position,
    await image,
    WebSocket.toString().length,
    getComputedStyle(document.querySelector('p') as Element).color,
  ]);
  document.body.insertAdjacentHTML('beforeend', '<b id="done"></b>');
}

export const environmentPage = `<!doctype html><body><p>text</p><script>(${showEnvironment})()</script>`;
