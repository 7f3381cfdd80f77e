import { scriptHeapMib } from '../limits.ts';

export interface ChromiumFlagOptions {
  /** A folder of this browser alone. */
  profile: string;
  /** Whether it is the headless program of its own (`chromium-headless-shell`). */
  shell: boolean;
  sandbox: boolean;
  /** Name or address of the machine of the contexts' proxies; this one unless given. */
  proxyHost?: string;
}

/**
 * How Chromium is started. Left out on purpose, with measurements: `--disable-frame-rate-limit`, vsync and raster flags
 * lower the throughput, `--no-zygote` costs 20 ms a page, `--single-process` dies, and less site isolation gains
 * nothing.
 */
export function chromiumFlags({ profile, shell, sandbox, proxyHost }: ChromiumFlagOptions): string[] {
  return [
    shell ? '--headless' : '--headless=new',
    // Two pipes rather than a port on loopback, which any page could try to reach and any user could open.
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    ...(sandbox ? [] : ['--no-sandbox']),
    // No look-ups but the proxy's, where the answer is judged. A proxy elsewhere has a name, the only one that is looked up.
    `--host-resolver-rules=${['MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1', ...(proxyHost ? [`EXCLUDE ${proxyHost}`] : [])].join(' , ')}`,
    ...reach,
    ...quiet,
    ...drawing,
    ...bounds,
    'about:blank',
  ];
}

/** What may be reached is decided by the proxy of each context; nothing goes around it. */
const reach = [
  // What belongs to no context of ours (the default one) reaches nothing: nobody listens on the discard port.
  '--proxy-server=http://127.0.0.1:9',
  // Chromium sends loopback and link-local addresses, the metadata services among them, around every proxy unless told.
  '--proxy-bypass-list=<-loopback>',
  // WebRTC speaks UDP to any address a page names; a proxy carries none, so there is none. (Two names: the second is
  // that of full Chromium.)
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // HTTP/3 is UDP as well.
  '--disable-quic',
  // Extensions have rights that pages do not have.
  '--disable-extensions',
  // `window.open` gives null: a capture is one page, and what it opens would load beside it.
  '--block-new-web-contents',
];

/** A browser that nobody sits before: nothing is fetched, reported, asked or stored on its own account. */
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-client-side-phishing-detection',
  '--no-pings',
  '--no-first-run',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-notifications',
  '--disable-speech-api',
  '--password-store=basic',
  '--use-mock-keychain',
  '--mute-audio',
  // Containers give /dev/shm 64 MB, which a few large pages fill: renderers then die.
  '--disable-dev-shm-usage',
  // A page left behind by a redirect is not kept: it would go on using memory and proxy.
  '--disable-back-forward-cache',
  // Offers to translate, looks for screens on the network, asks a server for hints, turns http into https: none is the
  // page's doing.
  '--disable-features=Translate,MediaRouter,DialMediaRouteProvider,OptimizationHints,HttpsUpgrades,HttpsFirstBalancedMode',
];

/** The same picture on every machine, and pages in the background treated like the one in front. */
const drawing = [
  // The software compositor everywhere: a graphics card ends a picture at 16,384 pixels (the software one draws 100,000),
  // and its driver is code that pages could reach. WebGL still works.
  '--disable-gpu',
  // The main frame is drawn beyond the viewport, so that a whole page is one picture without laying it out anew: growing
  // the viewport stretches what is measured in `vh`, and `captureBeyondViewport` lays the page out at 1×1 in between,
  // which the page's scripts see. Measured neutral for other pictures.
  '--blink-settings=mainFrameClipsContent=false',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--lang=en-US',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
];

/** What a page may fill by itself; the rest of its memory is watched from outside (`watchMemory`). */
const bounds = [`--js-flags=--max-old-space-size=${scriptHeapMib}`];
