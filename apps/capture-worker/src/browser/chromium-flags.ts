import { scriptHeapMib } from '../limits.ts';

/**
 * Whether a page that opens another site gets another process. Two browser contexts never share a renderer. In
 * `chromium-headless-shell` frames always share the renderer of their page; in full Chromium, only with `off`.
 */
export type SiteIsolation = 'on' | 'off';

interface ChromiumFlagOptions {
  /** A folder that only this browser uses. */
  profile: string;
  /** Whether the program is `chromium-headless-shell`. */
  shell: boolean;
  sandbox: boolean;
  siteIsolation: SiteIsolation;
  userAgent: string;
  /** Host of the pages' proxies; this machine unless given. */
  proxyHost?: string;
  /** The program that starts the GPU process in its own namespaces; null for none. */
  gpuLauncher: string | null;
}

/**
 * Command line of Chromium. Flags left out after measuring: `--disable-frame-rate-limit`, vsync and raster flags lower the
 * throughput, `--no-zygote` costs 20 ms a page, and `--single-process` crashes.
 */
export function chromiumFlags(options: ChromiumFlagOptions): string[] {
  const { profile, shell, sandbox, siteIsolation, userAgent, proxyHost, gpuLauncher } = options;
  const disabled = siteIsolation === 'off' ? [...unwanted, ...separatingSites] : unwanted;
  return [
    shell ? '--headless' : '--headless=new',
    // Pipes, because any page or local user could try to connect to a loopback port.
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    ...(sandbox ? [] : ['--no-sandbox']),
    // Without `--no-unsandboxed-zygote` a running process becomes the GPU process, and the launcher never starts.
    ...(gpuLauncher ? [`--gpu-launcher=${gpuLauncher}`, '--no-unsandboxed-zygote'] : []),
    // For shared workers and service workers, which belong to no page. This flag leaves the client hints of the headless
    // browser, so pages and workers also get a user agent by a call.
    `--user-agent=${userAgent}`,
    // Only the proxy resolves names, and checks the addresses. The exception is the proxy's host name.
    `--host-resolver-rules=${['MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1', ...(proxyHost ? [`EXCLUDE ${proxyHost}`] : [])].join(' , ')}`,
    ...reach,
    ...quiet,
    ...drawing,
    ...bounds,
    ...(siteIsolation === 'off' ? sharedBySites : []),
    // Chromium reads only the last such flag.
    `--disable-features=${disabled.join(',')}`,
    'about:blank',
  ];
}

/** The proxy of each context decides what a page may reach; nothing bypasses it. */
const reach = [
  // The default context, which the worker does not use, reaches nothing: no server listens on the discard port.
  '--proxy-server=http://127.0.0.1:9',
  // By default Chromium bypasses the proxy for loopback and link-local addresses, which include metadata services.
  '--proxy-bypass-list=<-loopback>',
  // WebRTC would send UDP to any address, past the proxies, so WebRTC is off. (Full Chromium has the second flag.)
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // HTTP/3 uses UDP too.
  '--disable-quic',
  // Extensions have more permissions than pages.
  '--disable-extensions',
  // `window.open` returns null: a capture is one page, and further windows would cost as much again.
  '--block-new-web-contents',
];

/** The browser fetches, reports, prompts for and stores nothing by itself. */
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
  // /dev/shm has 64 MB in containers. A few large pages fill it, and then renderers crash.
  '--disable-dev-shm-usage',
  // Without this flag a page that navigated away would stay alive, using memory and the proxy.
  '--disable-back-forward-cache',
];

/** Features that no page asks for: translation prompts, screens on the network, optimization hints, http upgraded to https. */
const unwanted = [
  ...['Translate', 'MediaRouter', 'DialMediaRouteProvider', 'OptimizationHints'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedMode'],
];

/** All sites of a browser context share one renderer: a new site starts no process, which saves a third of the processor time. */
const sharedBySites = ['--disable-site-isolation-trials', '--renderer-process-limit=1'];

/**
 * The other features that give each site its own renderer. `RenderDocument` stays on: without it, documents share a frame whose
 * media cache outlives the clearing of a page.
 */
const separatingSites = [
  ...['IsolateOrigins', 'site-per-process', 'StrictOriginIsolation', 'OriginKeyedProcessesByDefault'],
  ...['ProcessPerSiteUpToMainFrameThreshold', 'ProactivelySwapBrowsingInstance'],
];

/** These flags make Chromium draw the same image on every machine, and background pages like the page in front. */
const drawing = [
  // Software compositing: a GPU limits a screenshot to 16,384 pixels (software renders 100,000), and its driver is code
  // that pages could attack. WebGL still works.
  '--disable-gpu',
  // A page can crash the GPU process. After three crashes Chromium would offer no WebGL: maps of every page would be blank.
  '--disable-gpu-process-crash-limit',
  // Renders the main frame beyond the viewport, for pages too tall for a viewport of their height, and for content left or
  // right of the viewport. `captureBeyondViewport` would briefly lay the page out at 1×1, which its scripts notice.
  '--blink-settings=mainFrameClipsContent=false',
  // The default viewport: the first resize of a page to another viewport takes 9 ms more processor time, and 15 ms longer.
  '--window-size=1280,720',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--lang=en-US',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
];

/** Limits V8's heap. `watchMemory` limits the other memory of a page. */
const bounds = [`--js-flags=--max-old-space-size=${scriptHeapMib}`];
