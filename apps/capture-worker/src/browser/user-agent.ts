import type { Protocol } from 'puppeteer';

type Metadata = Protocol.Emulation.UserAgentMetadata;

/**
 * How a browser identifies itself: the header and `navigator.userAgent`, and matching client hints and
 * `navigator.userAgentData`. Without metadata the browser sends no hints.
 */
export interface UserAgent {
  userAgent: string;
  userAgentMetadata?: Metadata;
  /** `navigator.platform` in documents, if it differs from this machine's. Workers keep this machine's platform. */
  platform?: string;
}

/**
 * The user agent of an ordinary Chrome of this version. Headless Chromium's differs only by the word `HeadlessChrome`, for which
 * sites return other pages.
 *
 * @param version contains the number, such as `Chromium 156.0.8078.79`.
 */
export function ordinaryUserAgent(version: string): UserAgent {
  const number = /\d+(?:\.\d+)*/.exec(version)?.[0] ?? '';
  const system = systems[process.platform === 'darwin' ? 'darwin' : 'linux'];
  const metadata: Metadata = {
    ...brands('Google Chrome', number),
    platform: system.platform,
    // Chrome on Linux sends an empty value.
    platformVersion: '',
    architecture: process.arch.startsWith('arm') ? 'arm' : 'x86',
    bitness: '64',
    wow64: false,
    model: '',
    mobile: false,
    formFactors: ['Desktop'],
  };
  const userAgent = `Mozilla/5.0 (${system.userAgent}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major(number)}.0.0.0 Safari/537.36`;
  return { userAgent, userAgentMetadata: metadata };
}

/** The systems as Chrome writes them in its header, whatever the machine's processor and version are. */
const systems = {
  linux: { platform: 'Linux', userAgent: 'X11; Linux x86_64' },
  darwin: { platform: 'macOS', userAgent: 'Macintosh; Intel Mac OS X 10_15_7' },
};

/**
 * The user agent of a phone or tablet. Chrome on Android sends client hints; the browsers of other devices send none.
 *
 * @param userAgent such as that of a device which Puppeteer knows.
 */
export function deviceUserAgent(userAgent: string): UserAgent {
  const android =
    /\(Linux; (?:U; )?Android ([\d.]+); (?:[a-z]{2}-[a-z]{2}; )?(.+?)(?: Build\/[^)]*)?\) AppleWebKit/.exec(userAgent);
  const chrome = / Chrome\/(\d[\d.]*) (Mobile )?Safari\/[\d.]+$/.exec(userAgent);
  const apple = /\((iPhone|iPad|iPod)/.exec(userAgent)?.[1];
  if (apple) return { userAgent, platform: apple };
  if (!android || !chrome) return { userAgent };
  const [, version = '', model = ''] = android;
  const [, number = '', mobile] = chrome;
  const brand = / Version\/4\.0 Chrome\//.test(userAgent) ? 'Android WebView' : 'Google Chrome';
  const metadata: Metadata = {
    ...brands(brand, number),
    platform: 'Android',
    platformVersion: [...version.split('.'), '0', '0'].slice(0, 3).join('.'),
    architecture: '',
    bitness: '',
    wow64: false,
    model,
    mobile: mobile !== undefined,
    formFactors: [mobile === undefined ? 'Tablet' : 'Mobile'],
  };
  return { userAgent, userAgentMetadata: metadata, platform: 'Linux armv8l' };
}

/** The brands of a Chrome. As in a real browser, one brand is made up; that brand and the order change with the version. */
function brands(brand: string, number: string): Pick<Metadata, 'brands' | 'fullVersionList' | 'fullVersion'> {
  const seed = Number(major(number));
  const character = (index: number) => ' (:-./);=?_'.charAt(index % 11);
  const madeUp = `Not${character(seed)}A${character(seed + 1)}Brand`;
  const madeUpMajor = ['8', '99', '24'][seed % 3] ?? '';
  const order = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ][seed % 6];
  const list = (madeUpVersion: string, version: string) => {
    const entries = [
      { brand: madeUp, version: madeUpVersion },
      { brand: 'Chromium', version },
      { brand, version },
    ];
    const placed: typeof entries = [];
    for (const [index, entry] of entries.entries()) placed[order?.[index] ?? index] = entry;
    return placed;
  };
  return {
    brands: list(madeUpMajor, major(number)),
    fullVersionList: list(`${madeUpMajor}.0.0.0`, number),
    fullVersion: number,
  };
}

function major(number: string): string {
  return number.split('.', 1)[0] ?? '';
}
