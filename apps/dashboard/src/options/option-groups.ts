import type { OptionSchema } from '../api/service.ts';

interface OptionGroup {
  title: string;
  options: readonly string[];
}

const groups: readonly OptionGroup[] = [
  {
    title: 'Image',
    options: [
      'format',
      'quality',
      'full_page',
      'selector',
      'clip',
      'omit_background',
      'resize_width',
      'resize_height',
      'template',
      'title',
      'description',
      'theme',
    ],
  },
  {
    title: 'Paper',
    options: [
      'paper',
      'landscape',
      'margin',
      'paper_width',
      'paper_height',
      'scale',
      'page_ranges',
      'single_page',
      'print_background',
      'prefer_css_page_size',
      'header_html',
      'footer_html',
      'outline',
      'tagged',
    ],
  },
  { title: 'Outputs', options: ['outputs'] },
  { title: 'Size and device', options: ['width', 'height', 'device_scale_factor', 'device'] },
  {
    title: 'When the page is ready',
    options: [
      'wait_until',
      'wait_for_selector',
      'delay_ms',
      'timeout_ms',
      'fail_on_status',
      'fail_on',
      'accept_truncated',
      'scroll',
    ],
  },
  {
    title: 'Clean page',
    options: ['block_ads', 'block_cookie_banners', 'hide_selectors', 'remove_selectors', 'block_resources'],
  },
  { title: 'Custom CSS and JavaScript', options: ['css', 'js', 'click'] },
  {
    title: 'Emulation',
    options: ['locale', 'timezone', 'geolocation', 'dark_mode', 'reduced_motion', 'media', 'user_agent'],
  },
  { title: 'Authentication', options: ['cookies', 'headers', 'basic_auth'] },
  { title: 'Response', options: ['cache_ttl_s', 'metadata', 'async', 'response_type', 'webhook_url'] },
];

/** Options with their own fields above the groups. */
const ungrouped: ReadonlySet<string> = new Set(['url', 'html']);

/** Groups the options of a kind; options of no group are in the last group. */
export function groupOptions(options: Readonly<Record<string, OptionSchema>>): (OptionGroup & { id: string })[] {
  const grouped = new Set(groups.flatMap((group) => group.options));
  const others = Object.keys(options).filter((name) => !grouped.has(name) && !ungrouped.has(name));
  return [...groups, { title: 'More', options: others }]
    .map(({ title, options: names }) => ({ id: idOf(title), title, options: names.filter((name) => name in options) }))
    .filter(({ options: names }) => names.length > 0);
}

const idOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');
