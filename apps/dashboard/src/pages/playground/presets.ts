import type { CaptureType } from '../../api/responses.ts';
import type { OptionValues } from '../../options/control.ts';

export interface Preset {
  label: string;
  options: OptionValues;
}

/** Sets of options that people often start with, by kind. */
export const presets: Readonly<Record<CaptureType, readonly Preset[]>> = {
  screenshot: [
    { label: 'Full page', options: { full_page: true } },
    { label: 'Phone', options: { device: 'iPhone 15 Pro' } },
    { label: 'Sharp (2×)', options: { device_scale_factor: 2 } },
    { label: 'Dark mode', options: { dark_mode: true } },
    { label: 'No ads, no banners', options: { block_ads: true, block_cookie_banners: true } },
    { label: 'Small WebP', options: { format: 'webp', resize_width: 640 } },
  ],
  pdf: [
    { label: 'As on screen', options: { media: 'screen' } },
    { label: 'One long page', options: { single_page: true } },
    { label: 'Landscape', options: { landscape: true } },
    { label: 'With margins', options: { margin: '15mm' } },
    { label: 'No ads, no banners', options: { block_ads: true, block_cookie_banners: true } },
  ],
  og_image: [
    { label: 'Card', options: { template: 'card' } },
    { label: 'Dark card', options: { template: 'card', theme: 'dark' } },
    { label: 'Screenshot of the page', options: { template: 'page' } },
  ],
  content: [
    { label: 'Markdown', options: { format: 'markdown' } },
    { label: 'Full page as text', options: { format: 'text', only_main_content: false } },
    { label: 'Metadata', options: { format: 'metadata' } },
    { label: 'Links', options: { format: 'links' } },
  ],
};

export const isApplied = ({ options }: Preset, values: OptionValues) =>
  Object.entries(options).every(([name, value]) => JSON.stringify(values[name]) === JSON.stringify(value));
