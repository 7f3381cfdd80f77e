import type { CaptureKind, Options } from './table.ts';

type ReportFor = (ours: string, why: string) => void;

/** Removes conflicting options, so that the request is valid. */
export function removeConflicts(type: CaptureKind, options: Options, reportFor: ReportFor): void {
  const drop = (name: string, why: string) => {
    if (!(name in options)) return;
    delete options[name];
    reportFor(name, why);
  };
  for (const [name, fields] of Object.entries(wholeOnly)) {
    const given = options[name] as Options | undefined;
    const missing = fields.filter((field) => given && !(field in given));
    if (missing.length > 0) drop(name, `${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing`);
  }
  if (options.html !== undefined) settleHtml(options, drop);
  if (options.device !== undefined) {
    for (const name of ['width', 'height', 'device_scale_factor', 'user_agent']) drop(name, 'the device sets it');
  }
  if (type === 'pdf') {
    if (options.paper !== undefined) for (const name of paperSize) drop(name, 'the named paper size takes precedence');
    return;
  }
  if (type === 'content') return;
  const [part, ...others] = ['selector', 'clip', 'full_page'].filter((name) => options[name]);
  for (const name of others) drop(name, `${part} takes precedence`);
  const { format = 'png' } = options;
  if (format === 'png') drop('quality', 'png has no quality');
  if (format === 'jpeg') drop('omit_background', 'jpeg has no transparency');
}

/** Options of the platform that are merged from several options of a service, with their required fields. */
const wholeOnly = { clip: ['x', 'y', 'width', 'height'], geolocation: ['latitude', 'longitude'] };

const paperSize = ['paper_width', 'paper_height'];

/** Removes options that need an origin: a page from HTML has none. */
function settleHtml(options: Options, drop: ReportFor): void {
  drop('url', 'html takes precedence');
  for (const name of ['headers', 'basic_auth']) drop(name, 'html has no origin to send it to');
  const cookies = options.cookies as Options[] | undefined;
  if (!cookies?.some(({ domain }) => domain === undefined)) return;
  drop('cookies', 'with html, a cookie needs a domain');
  const housed = cookies.filter(({ domain }) => domain !== undefined);
  if (housed.length > 0) options.cookies = housed;
}
