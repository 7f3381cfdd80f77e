import type { MovedType, Options } from './table.ts';

/** Tells that one of our options, by its name, had to go. */
type TellOf = (ours: string, why: string) => void;

/** Takes out what excludes each other here, so that the request is one that is accepted. */
export function settle(type: MovedType, options: Options, tellOf: TellOf): void {
  const drop = (name: string, why: string) => {
    if (!(name in options)) return;
    delete options[name];
    tellOf(name, why);
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
    if (options.paper !== undefined) for (const name of paperSize) drop(name, 'the name of the paper wins');
    return;
  }
  const [part, ...others] = ['selector', 'clip', 'full_page'].filter((name) => options[name]);
  for (const name of others) drop(name, `${part} wins`);
  const { format = 'png' } = options;
  if (format === 'png') drop('quality', 'png has no quality');
  if (format === 'jpeg') drop('omit_background', 'jpeg has no transparency');
}

/** Options that are put together of several of theirs, and what they are nothing without. */
const wholeOnly = { clip: ['x', 'y', 'width', 'height'], geolocation: ['latitude', 'longitude'] };

const paperSize = ['paper_width', 'paper_height'];

/** A page of one's own has no origin for what is meant for an origin alone. */
function settleHtml(options: Options, drop: TellOf): void {
  drop('url', 'html wins');
  for (const name of ['headers', 'basic_auth']) drop(name, 'html has no origin to send it to');
  const cookies = options.cookies as Options[] | undefined;
  if (!cookies?.some(({ domain }) => domain === undefined)) return;
  drop('cookies', 'with html, a cookie needs a domain');
  const housed = cookies.filter(({ domain }) => domain !== undefined);
  if (housed.length > 0) options.cookies = housed;
}
