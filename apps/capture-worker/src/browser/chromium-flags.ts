import { scriptHeapMib } from '../limits.ts';

/**
 * Whether a page gets another process for another site. Two browser contexts never share a renderer. Frames of other sites share
 * that of their page in `chromium-headless-shell`, which isolates no frames; the full Chromium does, if this is on.
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
  /** The program that starts the GPU process; null if it has no namespaces of its own. */
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
    // Without the second flag a process that runs already becomes the GPU process, and no program is started.
    ...(gpuLauncher ? [`--gpu-launcher=${gpuLauncher}`, '--no-unsandboxed-zygote'] : []),
    // For shared workers and service workers, which belong to no page. Client hints still name the headless browser with it, so
    // pages and workers are given both.
    `--user-agent=${userAgent}`,
    // Only the proxy resolves names, and checks the addresses. The exception is the proxy's own host name.
    `--host-resolver-rules=${['MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1', ...(proxyHost ? [`EXCLUDE ${proxyHost}`] : [])].join(' , ')}`,
    ...reach,
    ...quiet,
    ...drawing,
    ...bounds,
    ...(siteIsolation === 'off' ? sharedBySites : []),
    // Only the last such flag counts.
    `--disable-features=${disabled.join(',')}`,
    'about:blank',
  ];
}

/** The proxy of each context decides what a page may reach; nothing bypasses it. */
const reach = [
  // The default context, which we do not use, reaches nothing: no server listens on the discard port.
  '--proxy-server=http://127.0.0.1:9',
  // By default Chromium bypasses the proxy for loopback and link-local addresses, which include metadata services.
  '--proxy-bypass-list=<-loopback>',
  // WebRTC would send UDP to any address; proxies carry none, so it is off. (The second name is full Chromium's.)
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // HTTP/3 uses UDP too.
  '--disable-quic',
  // Extensions have more permissions than pages.
  '--disable-extensions',
  // `window.open` returns null: a capture is one page, and further windows would load beside it.
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
  // /dev/shm has 64 MB in containers. A few large pages fill it, and renderers crash.
  '--disable-dev-shm-usage',
  // A page that navigated away would stay alive, using memory and the proxy.
  '--disable-back-forward-cache',
];

/**
 * Translation prompts, discovery of screens on the network, optimization hints, http upgraded to https: none of these comes
 * from the page.
 */
const unwanted = [
  ...['Translate', 'MediaRouter', 'DialMediaRouteProvider', 'OptimizationHints'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedMode'],
];

/** All sites of a browser context share one renderer. A new site costs no new one, which saves a third of the processor time. */
const sharedBySites = ['--disable-site-isolation-trials', '--renderer-process-limit=1'];

/** What else would give a site, or a document, a renderer of its own. */
const separatingSites = [
  ...['IsolateOrigins', 'site-per-process', 'StrictOriginIsolation', 'OriginKeyedProcessesByDefault'],
  ...['ProcessPerSiteUpToMainFrameThreshold', 'ProactivelySwapBrowsingInstance', 'RenderDocument'],
];

/** The same image on every machine, and background pages rendered like the one in front. */
const drawing = [
  // Software compositing: a GPU limits a screenshot to 16,384 pixels (software renders 100,000), and its driver is code
  // that pages could attack. WebGL still works.
  '--disable-gpu',
  // A page can crash the GPU process. After three crashes Chromium would no longer offer WebGL to any page: maps would be blank.
  '--disable-gpu-process-crash-limit',
  // Renders the main frame beyond the viewport: pages that are too tall for a viewport of their height, and what lies beside
  // it. `captureBeyondViewport` would briefly lay the page out at 1×1, which its scripts notice. Makes no measurable difference
  // to other screenshots.
  '--blink-settings=mainFrameClipsContent=false',
  // The default viewport: a page that is resized to it first takes 9 ms more of processor time, and 15 ms longer.
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
