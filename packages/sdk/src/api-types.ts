// Made from the OpenAPI document by `npm run generate -w packages/sdk`. Change the document, not this file.

export type RegisterWebhookBody =
  | {
      /**
       * Where events are delivered: an HTTPS URL.
       */
      url: string;
      /**
       * The names of the events.
       *
       * @minItems 1
       */
      events: ('capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress')[];
      /**
       * Signing secret: 8 to 255 characters; after a `whsec_` prefix, base64.
       */
      secret?: string;
    }
  | {
      /**
       * Where events are delivered: an HTTPS URL.
       */
      webhook_url: string;
      /**
       * The names of the events.
       *
       * @minItems 1
       */
      events: ('capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress')[];
      /**
       * Signing secret: 8 to 255 characters; after a `whsec_` prefix, base64.
       */
      secret?: string;
    };

export interface ScreenshotRequest {
  /**
   * The page to capture; required without `html`.
   */
  url?: string;
  /**
   * Your own page instead of `url`, up to 2 MB; only in a POST.
   */
  html?: string;
  /**
   * What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped. `auto` unless given.
   */
  wait_until?: 'auto' | 'load' | 'domcontentloaded' | 'networkidle';
  /**
   * A CSS selector that must match an element before the capture.
   */
  wait_for_selector?: string;
  /**
   * Extra delay after the page is ready. Unit: milliseconds. `0` unless given.
   */
  delay_ms?: number;
  /**
   * The whole capture, from when a worker takes it. A selector not there by then is `SELECTOR_NOT_FOUND`, anything else `CAPTURE_TIMEOUT`. Unit: milliseconds. `30000` unless given.
   */
  timeout_ms?: number;
  /**
   * Statuses of the page, 100 to 599, and classes of them, with which the capture fails as `HTTP_STATUS`.
   *
   * @maxItems 50
   */
  fail_on_status?: (number | string)[];
  /**
   * Scroll through the page first, so that content that loads late is there; true unless said otherwise with `full_page` and `single_page`.
   */
  scroll?: boolean;
  /**
   * What is clicked after load: a CSS selector, or up to 10 of them in order. Text is one selector, commas and all.
   */
  click?: string | string[];
  /**
   * Up to 50 CSS selectors of elements to make invisible, keeping their space; they may match nothing.
   *
   * @maxItems 50
   */
  hide_selectors?: string[];
  /**
   * Up to 50 CSS selectors of elements to remove from the page; they may match nothing.
   *
   * @maxItems 50
   */
  remove_selectors?: string[];
  /**
   * A style sheet applied after load, up to 100 kB.
   */
  css?: string;
  /**
   * A script run in the page after load, up to 100 kB.
   */
  js?: string;
  /**
   * Up to 50 headers by name, sent to the origin of the URL only.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * Up to 50 cookies. `domain` is that of the URL unless given, `path` is `/`.
   *
   * @maxItems 50
   */
  cookies?: {
    name: string;
    value: string;
    domain?: string;
    path?: string;
    secure?: boolean;
    http_only?: boolean;
    same_site?: 'Strict' | 'Lax' | 'None';
  }[];
  /**
   * HTTP Basic credentials, sent only when the origin of the URL requests them.
   */
  basic_auth?: {
    username: string;
    password: string;
  };
  /**
   * Locale (BCP 47): sets `Accept-Language` and `navigator.language`. `en-US` unless given.
   */
  locale?: string;
  /**
   * Time zone of the page, an IANA name. `UTC` unless given.
   */
  timezone?: string;
  /**
   * Location of the page: `latitude` −90 to 90, `longitude` −180 to 180, `accuracy` in meters. Unit: degrees.
   */
  geolocation?: {
    latitude: number;
    longitude: number;
    accuracy?: number;
  };
  /**
   * Prefer a dark colour scheme. `false` unless given.
   */
  dark_mode?: boolean;
  /**
   * Prefer reduced motion. `false` unless given.
   */
  reduced_motion?: boolean;
  /**
   * The medium whose style rules apply: default `print` for a PDF, otherwise `screen`. `screen` unless given.
   */
  media?: 'screen' | 'print';
  /**
   * Block advertisements and trackers. `false` unless given.
   */
  block_ads?: boolean;
  /**
   * Refuse and remove cookie banners. `false` unless given.
   */
  block_cookie_banners?: boolean;
  /**
   * Types of resources to block.
   *
   * @maxItems 50
   */
  block_resources?: ('image' | 'media' | 'font' | 'stylesheet' | 'script' | 'xhr' | 'fetch' | 'websocket' | 'other')[];
  /**
   * Width of the viewport. Unit: CSS pixels. `1280` unless given.
   */
  width?: number;
  /**
   * Height of the viewport. Unit: CSS pixels. `720` unless given.
   */
  height?: number;
  /**
   * Device pixels per CSS pixel: 2 doubles the width and height of the image. Unit: device pixels in a CSS pixel. `1` unless given.
   */
  device_scale_factor?: number;
  /**
   * A device by Puppeteer’s name, in any case. It sets the viewport, its scale, touch and the user agent, and is not taken together with those.
   */
  device?: string;
  /**
   * User agent: sets the `User-Agent` header and `navigator.userAgent`.
   */
  user_agent?: string;
  /**
   * The image format. `png` unless given.
   */
  format?: 'png' | 'jpeg' | 'webp';
  /**
   * Quality of a jpeg or webp; not allowed for png. Unit: percent. `80` unless given.
   */
  quality?: number;
  /**
   * The full page instead of the viewport. `false` unless given.
   */
  full_page?: boolean;
  /**
   * The first element that matches this CSS selector, instead of the viewport.
   */
  selector?: string;
  /**
   * A rectangle of the page, from its upper left corner, instead of the viewport. Unit: CSS pixels.
   */
  clip?: {
    x: number;
    y: number;
    width: number;
    height: number;
  };
  /**
   * Transparent where the page has no background; png and webp only. `false` unless given.
   */
  omit_background?: boolean;
  /**
   * Resize the image to this width: alone it keeps the aspect ratio, with `resize_height` the image covers the size and is cropped. Unit: pixels.
   */
  resize_width?: number;
  /**
   * Resize the image to this height: alone it keeps the aspect ratio, with `resize_width` the image covers the size and is cropped. Unit: pixels.
   */
  resize_height?: number;
  /**
   * Maximum age of an identical capture of this account that is returned instead, at no cost. Unit: seconds. `0` unless given.
   */
  cache_ttl_s?: number;
  /**
   * Up to 20 strings of your own, 4 kB as JSON, which the record returns.
   */
  metadata?: {
    [k: string]: string;
  };
  /**
   * Respond at once with the URL of the record, and capture later. `false` unless given.
   */
  async?: boolean;
  /**
   * The file of the capture, or its record as JSON. `binary` unless given.
   */
  response_type?: 'binary' | 'json';
  /**
   * Where the events of this capture are delivered.
   */
  webhook_url?: string;
}
export interface PdfRequest {
  /**
   * The page to capture; required without `html`.
   */
  url?: string;
  /**
   * Your own page instead of `url`, up to 2 MB; only in a POST.
   */
  html?: string;
  /**
   * What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped. `auto` unless given.
   */
  wait_until?: 'auto' | 'load' | 'domcontentloaded' | 'networkidle';
  /**
   * A CSS selector that must match an element before the capture.
   */
  wait_for_selector?: string;
  /**
   * Extra delay after the page is ready. Unit: milliseconds. `0` unless given.
   */
  delay_ms?: number;
  /**
   * The whole capture, from when a worker takes it. A selector not there by then is `SELECTOR_NOT_FOUND`, anything else `CAPTURE_TIMEOUT`. Unit: milliseconds. `30000` unless given.
   */
  timeout_ms?: number;
  /**
   * Statuses of the page, 100 to 599, and classes of them, with which the capture fails as `HTTP_STATUS`.
   *
   * @maxItems 50
   */
  fail_on_status?: (number | string)[];
  /**
   * Scroll through the page first, so that content that loads late is there; true unless said otherwise with `full_page` and `single_page`.
   */
  scroll?: boolean;
  /**
   * What is clicked after load: a CSS selector, or up to 10 of them in order. Text is one selector, commas and all.
   */
  click?: string | string[];
  /**
   * Up to 50 CSS selectors of elements to make invisible, keeping their space; they may match nothing.
   *
   * @maxItems 50
   */
  hide_selectors?: string[];
  /**
   * Up to 50 CSS selectors of elements to remove from the page; they may match nothing.
   *
   * @maxItems 50
   */
  remove_selectors?: string[];
  /**
   * A style sheet applied after load, up to 100 kB.
   */
  css?: string;
  /**
   * A script run in the page after load, up to 100 kB.
   */
  js?: string;
  /**
   * Up to 50 headers by name, sent to the origin of the URL only.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * Up to 50 cookies. `domain` is that of the URL unless given, `path` is `/`.
   *
   * @maxItems 50
   */
  cookies?: {
    name: string;
    value: string;
    domain?: string;
    path?: string;
    secure?: boolean;
    http_only?: boolean;
    same_site?: 'Strict' | 'Lax' | 'None';
  }[];
  /**
   * HTTP Basic credentials, sent only when the origin of the URL requests them.
   */
  basic_auth?: {
    username: string;
    password: string;
  };
  /**
   * Locale (BCP 47): sets `Accept-Language` and `navigator.language`. `en-US` unless given.
   */
  locale?: string;
  /**
   * Time zone of the page, an IANA name. `UTC` unless given.
   */
  timezone?: string;
  /**
   * Location of the page: `latitude` −90 to 90, `longitude` −180 to 180, `accuracy` in meters. Unit: degrees.
   */
  geolocation?: {
    latitude: number;
    longitude: number;
    accuracy?: number;
  };
  /**
   * Prefer a dark colour scheme. `false` unless given.
   */
  dark_mode?: boolean;
  /**
   * Prefer reduced motion. `false` unless given.
   */
  reduced_motion?: boolean;
  /**
   * The medium whose style rules apply: default `print` for a PDF, otherwise `screen`. `screen` unless given.
   */
  media?: 'screen' | 'print';
  /**
   * Block advertisements and trackers. `false` unless given.
   */
  block_ads?: boolean;
  /**
   * Refuse and remove cookie banners. `false` unless given.
   */
  block_cookie_banners?: boolean;
  /**
   * Types of resources to block.
   *
   * @maxItems 50
   */
  block_resources?: ('image' | 'media' | 'font' | 'stylesheet' | 'script' | 'xhr' | 'fetch' | 'websocket' | 'other')[];
  /**
   * Width of the viewport. Unit: CSS pixels. `1280` unless given.
   */
  width?: number;
  /**
   * Height of the viewport. Unit: CSS pixels. `720` unless given.
   */
  height?: number;
  /**
   * Device pixels per CSS pixel: 2 doubles the width and height of the image. Unit: device pixels in a CSS pixel. `1` unless given.
   */
  device_scale_factor?: number;
  /**
   * A device by Puppeteer’s name, in any case. It sets the viewport, its scale, touch and the user agent, and is not taken together with those.
   */
  device?: string;
  /**
   * User agent: sets the `User-Agent` header and `navigator.userAgent`.
   */
  user_agent?: string;
  /**
   * The size of the pages; not taken together with `paper_width` and `paper_height`. `A4` unless given.
   */
  paper?: 'A3' | 'A4' | 'A5' | 'Letter' | 'Legal' | 'Tabloid';
  /**
   * Width of the pages, 16px to 200in; that of A4 if only the height is given. Unit: mm, cm, in or px, as written.
   */
  paper_width?: 0 | string;
  /**
   * Height of the pages, 16px to 200in; that of A4 if only the width is given. Unit: mm, cm, in or px, as written.
   */
  paper_height?: 0 | string;
  /**
   * The margin on all sides, or on each; what is left out is 0. Unit: mm, cm, in or px, as written. `0` unless given.
   */
  margin?:
    | (0 | string)
    | {
        top?: 0 | string;
        right?: 0 | string;
        bottom?: 0 | string;
        left?: 0 | string;
      };
  /**
   * Pages lie on their side. `false` unless given.
   */
  landscape?: boolean;
  /**
   * A page size that the page’s own `@page` rules name wins over the paper. `false` unless given.
   */
  prefer_css_page_size?: boolean;
  /**
   * One page, as long as all that is on it. `false` unless given.
   */
  single_page?: boolean;
  /**
   * An outline of the document from its headings. `false` unless given.
   */
  outline?: boolean;
  /**
   * Print background colours and images. `true` unless given.
   */
  print_background?: boolean;
  /**
   * Tag the document for readers of the blind. `true` unless given.
   */
  tagged?: boolean;
  /**
   * Scale of what is on the pages. Unit: times. `1` unless given.
   */
  scale?: number;
  /**
   * Only these pages; default all.
   */
  page_ranges?: string;
  /**
   * HTML at the top of each page, up to 100 kB; Chromium fills in elements of the classes `pageNumber`, `totalPages`, `title`, `date`, `url`. It lies in the margin, which must leave room for it.
   */
  header_html?: string;
  /**
   * HTML at the bottom of each page, up to 100 kB; Chromium fills in elements of the classes `pageNumber`, `totalPages`, `title`, `date`, `url`. It lies in the margin, which must leave room for it.
   */
  footer_html?: string;
  /**
   * Maximum age of an identical capture of this account that is returned instead, at no cost. Unit: seconds. `0` unless given.
   */
  cache_ttl_s?: number;
  /**
   * Up to 20 strings of your own, 4 kB as JSON, which the record returns.
   */
  metadata?: {
    [k: string]: string;
  };
  /**
   * Respond at once with the URL of the record, and capture later. `false` unless given.
   */
  async?: boolean;
  /**
   * The file of the capture, or its record as JSON. `binary` unless given.
   */
  response_type?: 'binary' | 'json';
  /**
   * Where the events of this capture are delivered.
   */
  webhook_url?: string;
}
export interface OgImageRequest {
  /**
   * The page to capture; required without `html`.
   */
  url?: string;
  /**
   * Your own page instead of `url`, up to 2 MB; only in a POST.
   */
  html?: string;
  /**
   * What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped. `auto` unless given.
   */
  wait_until?: 'auto' | 'load' | 'domcontentloaded' | 'networkidle';
  /**
   * A CSS selector that must match an element before the capture.
   */
  wait_for_selector?: string;
  /**
   * Extra delay after the page is ready. Unit: milliseconds. `0` unless given.
   */
  delay_ms?: number;
  /**
   * The whole capture, from when a worker takes it. A selector not there by then is `SELECTOR_NOT_FOUND`, anything else `CAPTURE_TIMEOUT`. Unit: milliseconds. `30000` unless given.
   */
  timeout_ms?: number;
  /**
   * Statuses of the page, 100 to 599, and classes of them, with which the capture fails as `HTTP_STATUS`.
   *
   * @maxItems 50
   */
  fail_on_status?: (number | string)[];
  /**
   * Scroll through the page first, so that content that loads late is there; true unless said otherwise with `full_page` and `single_page`.
   */
  scroll?: boolean;
  /**
   * What is clicked after load: a CSS selector, or up to 10 of them in order. Text is one selector, commas and all.
   */
  click?: string | string[];
  /**
   * Up to 50 CSS selectors of elements to make invisible, keeping their space; they may match nothing.
   *
   * @maxItems 50
   */
  hide_selectors?: string[];
  /**
   * Up to 50 CSS selectors of elements to remove from the page; they may match nothing.
   *
   * @maxItems 50
   */
  remove_selectors?: string[];
  /**
   * A style sheet applied after load, up to 100 kB.
   */
  css?: string;
  /**
   * A script run in the page after load, up to 100 kB.
   */
  js?: string;
  /**
   * Up to 50 headers by name, sent to the origin of the URL only.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * Up to 50 cookies. `domain` is that of the URL unless given, `path` is `/`.
   *
   * @maxItems 50
   */
  cookies?: {
    name: string;
    value: string;
    domain?: string;
    path?: string;
    secure?: boolean;
    http_only?: boolean;
    same_site?: 'Strict' | 'Lax' | 'None';
  }[];
  /**
   * HTTP Basic credentials, sent only when the origin of the URL requests them.
   */
  basic_auth?: {
    username: string;
    password: string;
  };
  /**
   * Locale (BCP 47): sets `Accept-Language` and `navigator.language`. `en-US` unless given.
   */
  locale?: string;
  /**
   * Time zone of the page, an IANA name. `UTC` unless given.
   */
  timezone?: string;
  /**
   * Location of the page: `latitude` −90 to 90, `longitude` −180 to 180, `accuracy` in meters. Unit: degrees.
   */
  geolocation?: {
    latitude: number;
    longitude: number;
    accuracy?: number;
  };
  /**
   * Prefer a dark colour scheme. `false` unless given.
   */
  dark_mode?: boolean;
  /**
   * Prefer reduced motion. `false` unless given.
   */
  reduced_motion?: boolean;
  /**
   * The medium whose style rules apply: default `print` for a PDF, otherwise `screen`. `screen` unless given.
   */
  media?: 'screen' | 'print';
  /**
   * Block advertisements and trackers. `false` unless given.
   */
  block_ads?: boolean;
  /**
   * Refuse and remove cookie banners. `false` unless given.
   */
  block_cookie_banners?: boolean;
  /**
   * Types of resources to block.
   *
   * @maxItems 50
   */
  block_resources?: ('image' | 'media' | 'font' | 'stylesheet' | 'script' | 'xhr' | 'fetch' | 'websocket' | 'other')[];
  /**
   * User agent: sets the `User-Agent` header and `navigator.userAgent`.
   */
  user_agent?: string;
  /**
   * The image format. `png` unless given.
   */
  format?: 'png' | 'jpeg' | 'webp';
  /**
   * Quality of a jpeg or webp; not allowed for png. Unit: percent. `80` unless given.
   */
  quality?: number;
  /**
   * `page`: the page at 1200×630. `card`: drawn from the page’s title, description, site name, image and colour. `page` unless given.
   */
  template?: 'page' | 'card';
  /**
   * On the card, over the page’s own title.
   */
  title?: string;
  /**
   * On the card, over the page’s own description.
   */
  description?: string;
  /**
   * The colours of the card; `auto` goes by the page’s own. `auto` unless given.
   */
  theme?: 'light' | 'dark' | 'auto';
  /**
   * Maximum age of an identical capture of this account that is returned instead, at no cost. Unit: seconds. `0` unless given.
   */
  cache_ttl_s?: number;
  /**
   * Up to 20 strings of your own, 4 kB as JSON, which the record returns.
   */
  metadata?: {
    [k: string]: string;
  };
  /**
   * Respond at once with the URL of the record, and capture later. `false` unless given.
   */
  async?: boolean;
  /**
   * The file of the capture, or its record as JSON. `binary` unless given.
   */
  response_type?: 'binary' | 'json';
  /**
   * Where the events of this capture are delivered.
   */
  webhook_url?: string;
}
export interface BatchRequest {
  /**
   * What is captured: each item has the options of its type, of which a `null` unsets the batch’s. Up to 1,000 items unless the operator set another limit.
   *
   * @minItems 1
   */
  items: (ScreenshotItem | PdfItem | OgImageItem)[];
  /**
   * The type of every item that names none. `screenshot` unless given.
   */
  type?: 'screenshot' | 'pdf' | 'og_image';
  /**
   * Options of every item, which must fit its type; an item’s own win, its `null` unsets one.
   */
  options?: {
    [k: string]: unknown;
  };
  /**
   * Where the events of the batch and of its items are delivered.
   */
  webhook_url?: string;
  /**
   * Items that carry no `cookies`, `headers`, `basic_auth`, `js`, `click` or `html` may use one cleared page and its HTTP cache in turn, within this batch only. `false` unless given.
   */
  share_page?: boolean;
}
export interface ScreenshotItem {
  /**
   * The page to capture; required without `html`.
   */
  url?: string;
  /**
   * Your own page instead of `url`, up to 2 MB; only in a POST.
   */
  html?: string | null;
  /**
   * What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped. `auto` unless given.
   */
  wait_until?: ('auto' | 'load' | 'domcontentloaded' | 'networkidle') | null;
  /**
   * A CSS selector that must match an element before the capture.
   */
  wait_for_selector?: string | null;
  /**
   * Extra delay after the page is ready. Unit: milliseconds. `0` unless given.
   */
  delay_ms?: number | null;
  /**
   * The whole capture, from when a worker takes it. A selector not there by then is `SELECTOR_NOT_FOUND`, anything else `CAPTURE_TIMEOUT`. Unit: milliseconds. `30000` unless given.
   */
  timeout_ms?: number | null;
  /**
   * Statuses of the page, 100 to 599, and classes of them, with which the capture fails as `HTTP_STATUS`.
   */
  fail_on_status?: (number | string)[] | null;
  /**
   * Scroll through the page first, so that content that loads late is there; true unless said otherwise with `full_page` and `single_page`.
   */
  scroll?: boolean | null;
  /**
   * What is clicked after load: a CSS selector, or up to 10 of them in order. Text is one selector, commas and all.
   */
  click?: string | string[] | null;
  /**
   * Up to 50 CSS selectors of elements to make invisible, keeping their space; they may match nothing.
   */
  hide_selectors?: string[] | null;
  /**
   * Up to 50 CSS selectors of elements to remove from the page; they may match nothing.
   */
  remove_selectors?: string[] | null;
  /**
   * A style sheet applied after load, up to 100 kB.
   */
  css?: string | null;
  /**
   * A script run in the page after load, up to 100 kB.
   */
  js?: string | null;
  /**
   * Up to 50 headers by name, sent to the origin of the URL only.
   */
  headers?: {
    [k: string]: string;
  } | null;
  /**
   * Up to 50 cookies. `domain` is that of the URL unless given, `path` is `/`.
   */
  cookies?:
    | {
        name: string;
        value: string;
        domain?: string;
        path?: string;
        secure?: boolean;
        http_only?: boolean;
        same_site?: 'Strict' | 'Lax' | 'None';
      }[]
    | null;
  /**
   * HTTP Basic credentials, sent only when the origin of the URL requests them.
   */
  basic_auth?: {
    username: string;
    password: string;
  } | null;
  /**
   * Locale (BCP 47): sets `Accept-Language` and `navigator.language`. `en-US` unless given.
   */
  locale?: string | null;
  /**
   * Time zone of the page, an IANA name. `UTC` unless given.
   */
  timezone?: string | null;
  /**
   * Location of the page: `latitude` −90 to 90, `longitude` −180 to 180, `accuracy` in meters. Unit: degrees.
   */
  geolocation?: {
    latitude: number;
    longitude: number;
    accuracy?: number;
  } | null;
  /**
   * Prefer a dark colour scheme. `false` unless given.
   */
  dark_mode?: boolean | null;
  /**
   * Prefer reduced motion. `false` unless given.
   */
  reduced_motion?: boolean | null;
  /**
   * The medium whose style rules apply: default `print` for a PDF, otherwise `screen`. `screen` unless given.
   */
  media?: ('screen' | 'print') | null;
  /**
   * Block advertisements and trackers. `false` unless given.
   */
  block_ads?: boolean | null;
  /**
   * Refuse and remove cookie banners. `false` unless given.
   */
  block_cookie_banners?: boolean | null;
  /**
   * Types of resources to block.
   */
  block_resources?:
    | ('image' | 'media' | 'font' | 'stylesheet' | 'script' | 'xhr' | 'fetch' | 'websocket' | 'other')[]
    | null;
  /**
   * Width of the viewport. Unit: CSS pixels. `1280` unless given.
   */
  width?: number | null;
  /**
   * Height of the viewport. Unit: CSS pixels. `720` unless given.
   */
  height?: number | null;
  /**
   * Device pixels per CSS pixel: 2 doubles the width and height of the image. Unit: device pixels in a CSS pixel. `1` unless given.
   */
  device_scale_factor?: number | null;
  /**
   * A device by Puppeteer’s name, in any case. It sets the viewport, its scale, touch and the user agent, and is not taken together with those.
   */
  device?: string | null;
  /**
   * User agent: sets the `User-Agent` header and `navigator.userAgent`.
   */
  user_agent?: string | null;
  /**
   * The image format. `png` unless given.
   */
  format?: ('png' | 'jpeg' | 'webp') | null;
  /**
   * Quality of a jpeg or webp; not allowed for png. Unit: percent. `80` unless given.
   */
  quality?: number | null;
  /**
   * The full page instead of the viewport. `false` unless given.
   */
  full_page?: boolean | null;
  /**
   * The first element that matches this CSS selector, instead of the viewport.
   */
  selector?: string | null;
  /**
   * A rectangle of the page, from its upper left corner, instead of the viewport. Unit: CSS pixels.
   */
  clip?: {
    x: number;
    y: number;
    width: number;
    height: number;
  } | null;
  /**
   * Transparent where the page has no background; png and webp only. `false` unless given.
   */
  omit_background?: boolean | null;
  /**
   * Resize the image to this width: alone it keeps the aspect ratio, with `resize_height` the image covers the size and is cropped. Unit: pixels.
   */
  resize_width?: number | null;
  /**
   * Resize the image to this height: alone it keeps the aspect ratio, with `resize_width` the image covers the size and is cropped. Unit: pixels.
   */
  resize_height?: number | null;
  /**
   * Maximum age of an identical capture of this account that is returned instead, at no cost. Unit: seconds. `0` unless given.
   */
  cache_ttl_s?: number | null;
  /**
   * Up to 20 strings of your own, 4 kB as JSON, which the record returns.
   */
  metadata?: {
    [k: string]: string;
  } | null;
  /**
   * The batch’s `type` unless given.
   */
  type?: 'screenshot';
}
export interface PdfItem {
  /**
   * The page to capture; required without `html`.
   */
  url?: string;
  /**
   * Your own page instead of `url`, up to 2 MB; only in a POST.
   */
  html?: string | null;
  /**
   * What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped. `auto` unless given.
   */
  wait_until?: ('auto' | 'load' | 'domcontentloaded' | 'networkidle') | null;
  /**
   * A CSS selector that must match an element before the capture.
   */
  wait_for_selector?: string | null;
  /**
   * Extra delay after the page is ready. Unit: milliseconds. `0` unless given.
   */
  delay_ms?: number | null;
  /**
   * The whole capture, from when a worker takes it. A selector not there by then is `SELECTOR_NOT_FOUND`, anything else `CAPTURE_TIMEOUT`. Unit: milliseconds. `30000` unless given.
   */
  timeout_ms?: number | null;
  /**
   * Statuses of the page, 100 to 599, and classes of them, with which the capture fails as `HTTP_STATUS`.
   */
  fail_on_status?: (number | string)[] | null;
  /**
   * Scroll through the page first, so that content that loads late is there; true unless said otherwise with `full_page` and `single_page`.
   */
  scroll?: boolean | null;
  /**
   * What is clicked after load: a CSS selector, or up to 10 of them in order. Text is one selector, commas and all.
   */
  click?: string | string[] | null;
  /**
   * Up to 50 CSS selectors of elements to make invisible, keeping their space; they may match nothing.
   */
  hide_selectors?: string[] | null;
  /**
   * Up to 50 CSS selectors of elements to remove from the page; they may match nothing.
   */
  remove_selectors?: string[] | null;
  /**
   * A style sheet applied after load, up to 100 kB.
   */
  css?: string | null;
  /**
   * A script run in the page after load, up to 100 kB.
   */
  js?: string | null;
  /**
   * Up to 50 headers by name, sent to the origin of the URL only.
   */
  headers?: {
    [k: string]: string;
  } | null;
  /**
   * Up to 50 cookies. `domain` is that of the URL unless given, `path` is `/`.
   */
  cookies?:
    | {
        name: string;
        value: string;
        domain?: string;
        path?: string;
        secure?: boolean;
        http_only?: boolean;
        same_site?: 'Strict' | 'Lax' | 'None';
      }[]
    | null;
  /**
   * HTTP Basic credentials, sent only when the origin of the URL requests them.
   */
  basic_auth?: {
    username: string;
    password: string;
  } | null;
  /**
   * Locale (BCP 47): sets `Accept-Language` and `navigator.language`. `en-US` unless given.
   */
  locale?: string | null;
  /**
   * Time zone of the page, an IANA name. `UTC` unless given.
   */
  timezone?: string | null;
  /**
   * Location of the page: `latitude` −90 to 90, `longitude` −180 to 180, `accuracy` in meters. Unit: degrees.
   */
  geolocation?: {
    latitude: number;
    longitude: number;
    accuracy?: number;
  } | null;
  /**
   * Prefer a dark colour scheme. `false` unless given.
   */
  dark_mode?: boolean | null;
  /**
   * Prefer reduced motion. `false` unless given.
   */
  reduced_motion?: boolean | null;
  /**
   * The medium whose style rules apply: default `print` for a PDF, otherwise `screen`. `screen` unless given.
   */
  media?: ('screen' | 'print') | null;
  /**
   * Block advertisements and trackers. `false` unless given.
   */
  block_ads?: boolean | null;
  /**
   * Refuse and remove cookie banners. `false` unless given.
   */
  block_cookie_banners?: boolean | null;
  /**
   * Types of resources to block.
   */
  block_resources?:
    | ('image' | 'media' | 'font' | 'stylesheet' | 'script' | 'xhr' | 'fetch' | 'websocket' | 'other')[]
    | null;
  /**
   * Width of the viewport. Unit: CSS pixels. `1280` unless given.
   */
  width?: number | null;
  /**
   * Height of the viewport. Unit: CSS pixels. `720` unless given.
   */
  height?: number | null;
  /**
   * Device pixels per CSS pixel: 2 doubles the width and height of the image. Unit: device pixels in a CSS pixel. `1` unless given.
   */
  device_scale_factor?: number | null;
  /**
   * A device by Puppeteer’s name, in any case. It sets the viewport, its scale, touch and the user agent, and is not taken together with those.
   */
  device?: string | null;
  /**
   * User agent: sets the `User-Agent` header and `navigator.userAgent`.
   */
  user_agent?: string | null;
  /**
   * The size of the pages; not taken together with `paper_width` and `paper_height`. `A4` unless given.
   */
  paper?: ('A3' | 'A4' | 'A5' | 'Letter' | 'Legal' | 'Tabloid') | null;
  /**
   * Width of the pages, 16px to 200in; that of A4 if only the height is given. Unit: mm, cm, in or px, as written.
   */
  paper_width?: 0 | string | null;
  /**
   * Height of the pages, 16px to 200in; that of A4 if only the width is given. Unit: mm, cm, in or px, as written.
   */
  paper_height?: 0 | string | null;
  /**
   * The margin on all sides, or on each; what is left out is 0. Unit: mm, cm, in or px, as written.
   */
  margin?:
    | (0 | string)
    | {
        top?: 0 | string;
        right?: 0 | string;
        bottom?: 0 | string;
        left?: 0 | string;
      }
    | null;
  /**
   * Pages lie on their side. `false` unless given.
   */
  landscape?: boolean | null;
  /**
   * A page size that the page’s own `@page` rules name wins over the paper. `false` unless given.
   */
  prefer_css_page_size?: boolean | null;
  /**
   * One page, as long as all that is on it. `false` unless given.
   */
  single_page?: boolean | null;
  /**
   * An outline of the document from its headings. `false` unless given.
   */
  outline?: boolean | null;
  /**
   * Print background colours and images. `true` unless given.
   */
  print_background?: boolean | null;
  /**
   * Tag the document for readers of the blind. `true` unless given.
   */
  tagged?: boolean | null;
  /**
   * Scale of what is on the pages. Unit: times. `1` unless given.
   */
  scale?: number | null;
  /**
   * Only these pages; default all.
   */
  page_ranges?: string | null;
  /**
   * HTML at the top of each page, up to 100 kB; Chromium fills in elements of the classes `pageNumber`, `totalPages`, `title`, `date`, `url`. It lies in the margin, which must leave room for it.
   */
  header_html?: string | null;
  /**
   * HTML at the bottom of each page, up to 100 kB; Chromium fills in elements of the classes `pageNumber`, `totalPages`, `title`, `date`, `url`. It lies in the margin, which must leave room for it.
   */
  footer_html?: string | null;
  /**
   * Maximum age of an identical capture of this account that is returned instead, at no cost. Unit: seconds. `0` unless given.
   */
  cache_ttl_s?: number | null;
  /**
   * Up to 20 strings of your own, 4 kB as JSON, which the record returns.
   */
  metadata?: {
    [k: string]: string;
  } | null;
  /**
   * The batch’s `type` unless given.
   */
  type?: 'pdf';
}
export interface OgImageItem {
  /**
   * The page to capture; required without `html`.
   */
  url?: string;
  /**
   * Your own page instead of `url`, up to 2 MB; only in a POST.
   */
  html?: string | null;
  /**
   * What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped. `auto` unless given.
   */
  wait_until?: ('auto' | 'load' | 'domcontentloaded' | 'networkidle') | null;
  /**
   * A CSS selector that must match an element before the capture.
   */
  wait_for_selector?: string | null;
  /**
   * Extra delay after the page is ready. Unit: milliseconds. `0` unless given.
   */
  delay_ms?: number | null;
  /**
   * The whole capture, from when a worker takes it. A selector not there by then is `SELECTOR_NOT_FOUND`, anything else `CAPTURE_TIMEOUT`. Unit: milliseconds. `30000` unless given.
   */
  timeout_ms?: number | null;
  /**
   * Statuses of the page, 100 to 599, and classes of them, with which the capture fails as `HTTP_STATUS`.
   */
  fail_on_status?: (number | string)[] | null;
  /**
   * Scroll through the page first, so that content that loads late is there; true unless said otherwise with `full_page` and `single_page`.
   */
  scroll?: boolean | null;
  /**
   * What is clicked after load: a CSS selector, or up to 10 of them in order. Text is one selector, commas and all.
   */
  click?: string | string[] | null;
  /**
   * Up to 50 CSS selectors of elements to make invisible, keeping their space; they may match nothing.
   */
  hide_selectors?: string[] | null;
  /**
   * Up to 50 CSS selectors of elements to remove from the page; they may match nothing.
   */
  remove_selectors?: string[] | null;
  /**
   * A style sheet applied after load, up to 100 kB.
   */
  css?: string | null;
  /**
   * A script run in the page after load, up to 100 kB.
   */
  js?: string | null;
  /**
   * Up to 50 headers by name, sent to the origin of the URL only.
   */
  headers?: {
    [k: string]: string;
  } | null;
  /**
   * Up to 50 cookies. `domain` is that of the URL unless given, `path` is `/`.
   */
  cookies?:
    | {
        name: string;
        value: string;
        domain?: string;
        path?: string;
        secure?: boolean;
        http_only?: boolean;
        same_site?: 'Strict' | 'Lax' | 'None';
      }[]
    | null;
  /**
   * HTTP Basic credentials, sent only when the origin of the URL requests them.
   */
  basic_auth?: {
    username: string;
    password: string;
  } | null;
  /**
   * Locale (BCP 47): sets `Accept-Language` and `navigator.language`. `en-US` unless given.
   */
  locale?: string | null;
  /**
   * Time zone of the page, an IANA name. `UTC` unless given.
   */
  timezone?: string | null;
  /**
   * Location of the page: `latitude` −90 to 90, `longitude` −180 to 180, `accuracy` in meters. Unit: degrees.
   */
  geolocation?: {
    latitude: number;
    longitude: number;
    accuracy?: number;
  } | null;
  /**
   * Prefer a dark colour scheme. `false` unless given.
   */
  dark_mode?: boolean | null;
  /**
   * Prefer reduced motion. `false` unless given.
   */
  reduced_motion?: boolean | null;
  /**
   * The medium whose style rules apply: default `print` for a PDF, otherwise `screen`. `screen` unless given.
   */
  media?: ('screen' | 'print') | null;
  /**
   * Block advertisements and trackers. `false` unless given.
   */
  block_ads?: boolean | null;
  /**
   * Refuse and remove cookie banners. `false` unless given.
   */
  block_cookie_banners?: boolean | null;
  /**
   * Types of resources to block.
   */
  block_resources?:
    | ('image' | 'media' | 'font' | 'stylesheet' | 'script' | 'xhr' | 'fetch' | 'websocket' | 'other')[]
    | null;
  /**
   * User agent: sets the `User-Agent` header and `navigator.userAgent`.
   */
  user_agent?: string | null;
  /**
   * The image format. `png` unless given.
   */
  format?: ('png' | 'jpeg' | 'webp') | null;
  /**
   * Quality of a jpeg or webp; not allowed for png. Unit: percent. `80` unless given.
   */
  quality?: number | null;
  /**
   * `page`: the page at 1200×630. `card`: drawn from the page’s title, description, site name, image and colour. `page` unless given.
   */
  template?: ('page' | 'card') | null;
  /**
   * On the card, over the page’s own title.
   */
  title?: string | null;
  /**
   * On the card, over the page’s own description.
   */
  description?: string | null;
  /**
   * The colours of the card; `auto` goes by the page’s own. `auto` unless given.
   */
  theme?: ('light' | 'dark' | 'auto') | null;
  /**
   * Maximum age of an identical capture of this account that is returned instead, at no cost. Unit: seconds. `0` unless given.
   */
  cache_ttl_s?: number | null;
  /**
   * Up to 20 strings of your own, 4 kB as JSON, which the record returns.
   */
  metadata?: {
    [k: string]: string;
  } | null;
  /**
   * The batch’s `type` unless given.
   */
  type?: 'og_image';
}
export interface CaptureRecord {
  /**
   * The capture.
   */
  request_id: string;
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  /**
   * `about:blank` for a page submitted as `html`.
   */
  url: string;
  type: 'screenshot' | 'pdf' | 'og_image';
  format: string | null;
  /**
   * For a PDF: of its first page, in CSS pixels. Unit: pixels.
   */
  width: number | null;
  /**
   * For a PDF: of its first page, in CSS pixels. Unit: pixels.
   */
  height: number | null;
  /**
   * Unit: bytes.
   */
  file_size: number | null;
  /**
   * From the start by a worker to the end. Unit: milliseconds.
   */
  duration_ms: number | null;
  file_url: string | null;
  /**
   * When the link expires and the file is deleted.
   */
  expires_at: string | null;
  error_code:
    | (
        | 'URL_UNREACHABLE'
        | 'NAVIGATION_FAILED'
        | 'URL_BLOCKED'
        | 'HTTP_STATUS'
        | 'SELECTOR_NOT_FOUND'
        | 'PAGE_TOO_LARGE'
        | 'CAPTURE_TIMEOUT'
        | 'RENDERING_FAILED'
      )
    | null;
  error_message: string | null;
  batch_id: string | null;
  /**
   * As submitted. Values of `cookies`, `headers` and `basic_auth` are `***`; in lists, values over 10,000 characters are `…`.
   */
  options: {
    [k: string]: unknown;
  };
  /**
   * As submitted.
   */
  metadata: {
    [k: string]: string;
  } | null;
  /**
   * Whether it was served from an earlier identical capture.
   */
  cached: boolean;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  /**
   * How the capture ran, whether it succeeded or failed.
   */
  receipt: Receipt | null;
}
export interface Receipt {
  /**
   * URL of the captured page, without query and fragment.
   */
  final_url: string | null;
  /**
   * The URLs that redirected to it.
   */
  redirects: string[];
  http_status: number | null;
  title: string | null;
  /**
   * Duration of each phase; null for a phase that was not reached.
   */
  timings: {
    /**
     * From acceptance until a worker started the capture. Unit: milliseconds.
     */
    queue_ms: number;
    /**
     * Until the first bytes of the page arrived.
     */
    navigation_ms: number | null;
    /**
     * Until the page was ready, as `wait_until` says.
     */
    waiting_ms: number | null;
    /**
     * Acting on the page: scripts, clicks, scrolling.
     */
    acting_ms: number | null;
    /**
     * Rendering.
     */
    capture_ms: number | null;
    /**
     * Unit: milliseconds.
     */
    storing_ms: number;
  };
  /**
   * What ended the wait: `quiet`, `load`, `stalled` and others.
   */
  wait: string | null;
  /**
   * More than 1 if the browser failed and the capture was tried again.
   */
  tries: number;
  requests: {
    total: number;
    /**
     * Without a response, or with a status of 400 or above.
     */
    failed: number;
    /**
     * Blocked: ads, `block_resources`, addresses that captures may not reach.
     */
    blocked: number;
    /**
     * Unit: bytes.
     */
    bytes: number;
    failures: {
      url: string;
      reason: string;
    }[];
  };
  console_errors: string[];
  /**
   * Why the script given as `js` failed.
   */
  script_error: string | null;
  /**
   * What `block_ads` did, and with which lists; null if it was off.
   */
  ads: {
    [k: string]: unknown;
  } | null;
  /**
   * What `block_cookie_banners` did; null if it was off.
   */
  cookie_banner: {
    [k: string]: unknown;
  } | null;
}
export interface Acceptance {
  /**
   * The capture.
   */
  request_id: string;
  /**
   * `completed` if it was served from the cache.
   */
  status: 'queued' | 'completed';
  /**
   * URL of the record.
   */
  status_url: string;
  /**
   * Captures ahead of it in the queue.
   */
  position: number;
  /**
   * Estimated time until it ends; null if unknown. Unit: milliseconds.
   */
  eta_ms: number | null;
}
export interface Batch {
  /**
   * The batch.
   */
  batch_id: string;
  status: 'processing' | 'completed' | 'cancelled';
  total: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  pending: number;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  completed_at: string | null;
}
export interface BatchResult {
  /**
   * The capture.
   */
  request_id: string;
  url: string;
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  error_code?:
    | 'URL_UNREACHABLE'
    | 'NAVIGATION_FAILED'
    | 'URL_BLOCKED'
    | 'HTTP_STATUS'
    | 'SELECTOR_NOT_FOUND'
    | 'PAGE_TOO_LARGE'
    | 'CAPTURE_TIMEOUT'
    | 'RENDERING_FAILED';
  /**
   * A signed link to the file, which needs no key and expires at `expires_at`.
   */
  file_url?: string;
}
export interface BatchWithResults {
  /**
   * The batch.
   */
  batch_id: string;
  status: 'processing' | 'completed' | 'cancelled';
  total: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  pending: number;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  completed_at: string | null;
  /**
   * In the order of the items.
   */
  results: BatchResult[];
  next_cursor: string | null;
}
export interface Account {
  id: string;
  email: string;
  plan: string;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  usage: {
    /**
     * UTC.
     */
    month: string;
    /**
     * Captures that completed this month.
     */
    used: number;
    /**
     * Captures that are queued or in progress.
     */
    reserved: number;
    /**
     * Captures per month; null is unlimited.
     */
    limit: number | null;
    /**
     * ISO 8601, UTC.
     */
    resets_at: string;
  };
}
export interface AccountRow {
  id: string;
  email: string;
  plan: string;
  status: 'active' | 'suspended';
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  /**
   * Captures that completed this month.
   */
  used: number;
}
export interface Key {
  id: string;
  name: string | null;
  prefix: string;
  last_four: string;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
}
export interface IssuedKey {
  id: string;
  name: string | null;
  prefix: string;
  last_four: string;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  /**
   * The key itself, shown only once.
   */
  apiKey: string;
}
export interface ErrorBody {
  error_code:
    | 'INVALID_REQUEST'
    | 'UNAUTHORIZED'
    | 'FORBIDDEN'
    | 'NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'REQUEST_TIMEOUT'
    | 'EMAIL_TAKEN'
    | 'LAST_KEY'
    | 'IDEMPOTENCY_CONFLICT'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'RATE_LIMITED'
    | 'QUOTA_EXCEEDED'
    | 'HEADERS_TOO_LARGE'
    | 'INTERNAL'
    | 'OVERLOADED'
    | 'URL_UNREACHABLE'
    | 'NAVIGATION_FAILED'
    | 'URL_BLOCKED'
    | 'HTTP_STATUS'
    | 'SELECTOR_NOT_FOUND'
    | 'PAGE_TOO_LARGE'
    | 'CAPTURE_TIMEOUT'
    | 'RENDERING_FAILED';
  error_message: string;
  /**
   * The request, or its capture if there is one.
   */
  request_id: string;
  /**
   * For a 400: the first 50 invalid fields.
   */
  details?: {
    field: string;
    message: string;
  }[];
}
export interface ListCapturesQuery {
  limit?: number;
  cursor?: string;
  status?: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  type?: 'screenshot' | 'pdf' | 'og_image';
  batch_id?: string;
}
export interface ListCapturesResponse {
  /**
   * Newest first.
   */
  captures: CaptureRecord[];
  /**
   * `cursor` of the next page; null on the last.
   */
  next_cursor: string | null;
}
export interface SubmitBatchResponse {
  /**
   * The batch.
   */
  batch_id: string;
  status: 'processing';
  total: number;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  status_url: string;
}
export interface ListBatchesQuery {
  limit?: number;
  cursor?: string;
}
export interface ListBatchesResponse {
  /**
   * Newest first.
   */
  batches: Batch[];
  /**
   * `cursor` of the next page; null on the last.
   */
  next_cursor: string | null;
}
export interface GetBatchQuery {
  limit?: number;
  cursor?: string;
}
export interface ListDeliveriesQuery {
  limit?: number;
  cursor?: string;
  status?: 'pending' | 'delivered' | 'failed' | 'paused';
  event?: 'capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress';
  webhook_id?: string;
  /**
   * ISO 8601, with Z or an offset.
   */
  since?: string;
  /**
   * ISO 8601, with Z or an offset.
   */
  until?: string;
}
export interface ListDeliveriesResponse {
  /**
   * Newest first.
   */
  deliveries: {
    id: string;
    event: 'capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress';
    /**
     * The `webhook-id`, the same for retries and replays.
     */
    event_id: string;
    request_id: string | null;
    batch_id: string | null;
    /**
     * Null if the capture has its own `webhook_url`.
     */
    webhook_id: string | null;
    url: string;
    status: 'pending' | 'delivered' | 'failed' | 'paused';
    attempt_count: number;
    next_attempt_at: string | null;
    last_status: number | null;
    last_error: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    completed_at: string | null;
  }[];
  /**
   * `cursor` of the next page; null on the last.
   */
  next_cursor: string | null;
}
export interface GetDeliveryResponse {
  id: string;
  event: 'capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress';
  /**
   * The `webhook-id`, the same for retries and replays.
   */
  event_id: string;
  request_id: string | null;
  batch_id: string | null;
  /**
   * Null if the capture has its own `webhook_url`.
   */
  webhook_id: string | null;
  url: string;
  status: 'pending' | 'delivered' | 'failed' | 'paused';
  attempt_count: number;
  next_attempt_at: string | null;
  last_status: number | null;
  last_error: string | null;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  completed_at: string | null;
  /**
   * The body of the request.
   */
  payload: {
    [k: string]: unknown;
  };
  attempts: {
    number: number;
    trigger: 'schedule' | 'manual';
    /**
     * ISO 8601, UTC.
     */
    started_at: string;
    /**
     * Unit: milliseconds.
     */
    duration_ms: number | null;
    status: number | null;
    error: string | null;
    response_excerpt: string | null;
  }[];
}
export interface RetryDeliveryResponse {
  id: string;
  event: 'capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress';
  /**
   * The `webhook-id`, the same for retries and replays.
   */
  event_id: string;
  request_id: string | null;
  batch_id: string | null;
  /**
   * Null if the capture has its own `webhook_url`.
   */
  webhook_id: string | null;
  url: string;
  status: 'pending' | 'delivered' | 'failed' | 'paused';
  attempt_count: number;
  next_attempt_at: string | null;
  last_status: number | null;
  last_error: string | null;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  completed_at: string | null;
}
export interface ReplayWebhookBody {
  /**
   * ISO 8601, with Z or an offset.
   */
  since: string;
  /**
   * ISO 8601, with Z or an offset.
   */
  until?: string;
  status?: 'failed' | 'delivered' | 'all';
}
export interface ReplayWebhookResponse {
  /**
   * Number of deliveries that are sent again.
   */
  replayed: number;
}
export interface RegisterWebhookResponse {
  /**
   * Whether the endpoint responded with 2xx.
   */
  delivered: boolean;
  /**
   * The HTTP status of its response.
   */
  status: number | null;
  /**
   * Unit: milliseconds.
   */
  latency_ms: number | null;
  error:
    | (
        | 'timeout'
        | 'dns'
        | 'refused'
        | 'reset'
        | 'tls'
        | 'redirect'
        | 'blocked'
        | 'invalid_response'
        | 'http_4xx'
        | 'http_5xx'
      )
    | null;
}
export interface RegisterWebhookResponse201 {
  id: string;
  url: string;
  events: ('capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress')[];
  status: 'active' | 'paused' | 'disabled';
  /**
   * Why it was disabled.
   */
  disabled_reason?: string | null;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  /**
   * Only if it was generated here; shown once.
   */
  secret?: string;
}
export interface ListWebhooksQuery {
  limit?: number;
  cursor?: string;
}
export interface ListWebhooksResponse {
  /**
   * Newest first.
   */
  webhooks: {
    id: string;
    url: string;
    events: ('capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress')[];
    status: 'active' | 'paused' | 'disabled';
    /**
     * Why it was disabled.
     */
    disabled_reason?: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
  }[];
  /**
   * `cursor` of the next page; null on the last.
   */
  next_cursor: string | null;
}
export interface GetWebhookResponse {
  id: string;
  url: string;
  events: ('capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress')[];
  status: 'active' | 'paused' | 'disabled';
  /**
   * Why it was disabled.
   */
  disabled_reason?: string | null;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
}
export interface ChangeWebhookBody {
  /**
   * Where events are delivered: an HTTPS URL.
   */
  url?: string;
  /**
   * The names of the events.
   *
   * @minItems 1
   */
  events?: ('capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress')[];
  /**
   * Pausing holds deliveries; resuming sends the held ones.
   */
  status?: 'active' | 'paused';
}
export interface ChangeWebhookResponse {
  id: string;
  url: string;
  events: ('capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress')[];
  status: 'active' | 'paused' | 'disabled';
  /**
   * Why it was disabled.
   */
  disabled_reason?: string | null;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
}
export interface TestRegisteredWebhookBody {
  /**
   * The names of the events.
   *
   * @minItems 1
   */
  events?: ('capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress')[];
}
export interface TestRegisteredWebhookResponse {
  /**
   * Whether the endpoint responded with 2xx.
   */
  delivered: boolean;
  /**
   * The HTTP status of its response.
   */
  status: number | null;
  /**
   * Unit: milliseconds.
   */
  latency_ms: number | null;
  error:
    | (
        | 'timeout'
        | 'dns'
        | 'refused'
        | 'reset'
        | 'tls'
        | 'redirect'
        | 'blocked'
        | 'invalid_response'
        | 'http_4xx'
        | 'http_5xx'
      )
    | null;
}
export interface RotateWebhookSecretBody {
  /**
   * Signing secret: 8 to 255 characters; after a `whsec_` prefix, base64.
   */
  secret?: string;
}
export interface RotateWebhookSecretResponse {
  secret: string;
  previous_valid_until: string;
}
export interface GetUsageQuery {
  /**
   * How many days, today included. `30` unless given.
   */
  days?: number;
}
export interface GetUsageResponse {
  /**
   * Every day, the oldest first.
   */
  days: {
    /**
     * UTC: when the captures were requested.
     */
    date: string;
    /**
     * Captures that completed and count.
     */
    completed: number;
    /**
     * Captures that failed.
     */
    failed: number;
    /**
     * Cached captures, which cost nothing.
     */
    cached: number;
  }[];
}
export interface GetSigningSecretResponse {
  /**
   * Its whole text, as UTF-8, is the key of `X-Service-Signature`.
   */
  secret: string;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
}
export interface RotateSigningSecretResponse {
  /**
   * Its whole text, as UTF-8, is the key of `X-Service-Signature`.
   */
  secret: string;
  /**
   * Until when the previous secret also signs.
   */
  previous_valid_until: string;
}
export interface ListKeysQuery {
  limit?: number;
  cursor?: string;
}
export interface ListKeysResponse {
  /**
   * Newest first.
   */
  keys: Key[];
  /**
   * `cursor` of the next page; null on the last.
   */
  next_cursor: string | null;
}
export interface AddKeyBody {
  /**
   * What the key is for.
   */
  name?: string;
}
export interface RotateKeyBody {
  /**
   * How long the previous key stays valid. Unit: seconds. `0` unless given.
   */
  overlap_s?: number;
}
export interface RotateKeyResponse {
  id: string;
  name: string | null;
  prefix: string;
  last_four: string;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  /**
   * The key itself, shown only once.
   */
  apiKey: string;
  /**
   * When the previous key stops working.
   */
  previous_expires_at: string;
}
export interface RegisterBody {
  /**
   * The address that the key belongs to.
   */
  email: string;
}
export interface RegisterResponse {
  /**
   * The key itself, shown only once.
   */
  apiKey: string;
  plan: string;
  /**
   * ISO 8601, UTC.
   */
  createdAt: string;
}
export interface SignInBody {
  /**
   * A key of the account.
   */
  api_key?: string;
  /**
   * The operator’s key.
   */
  operator_key?: string;
}
export interface SignInResponse {
  /**
   * Whose key the session replaces.
   */
  role: 'account' | 'operator';
}
export interface ListAccountsQuery {
  limit?: number;
  cursor?: string;
  email?: string;
}
export interface ListAccountsResponse {
  /**
   * Newest first.
   */
  accounts: AccountRow[];
  /**
   * `cursor` of the next page; null on the last.
   */
  next_cursor: string | null;
}
export interface ChangeAccountBody {
  plan?: string;
  status?: 'active' | 'suspended';
}
export interface IssueSigningSecretResponse {
  /**
   * Its whole text, as UTF-8, is the key of `X-Service-Signature`.
   */
  secret: string;
}
export interface ListAllDeliveriesQuery {
  limit?: number;
  cursor?: string;
  status?: 'pending' | 'delivered' | 'failed' | 'paused';
  event?: 'capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress';
  webhook_id?: string;
  /**
   * ISO 8601, with Z or an offset.
   */
  since?: string;
  /**
   * ISO 8601, with Z or an offset.
   */
  until?: string;
  account_id?: string;
}
export interface ListAllDeliveriesResponse {
  /**
   * Newest first.
   */
  deliveries: {
    id: string;
    event: 'capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress';
    /**
     * The `webhook-id`, the same for retries and replays.
     */
    event_id: string;
    request_id: string | null;
    batch_id: string | null;
    /**
     * Null if the capture has its own `webhook_url`.
     */
    webhook_id: string | null;
    url: string;
    status: 'pending' | 'delivered' | 'failed' | 'paused';
    attempt_count: number;
    next_attempt_at: string | null;
    last_status: number | null;
    last_error: string | null;
    /**
     * ISO 8601, UTC.
     */
    created_at: string;
    completed_at: string | null;
    account_id: string;
  }[];
  /**
   * `cursor` of the next page; null on the last.
   */
  next_cursor: string | null;
}
export interface CountReplayableDeliveriesQuery {
  status: 'failed' | 'delivered' | 'all';
  /**
   * ISO 8601, with Z or an offset.
   */
  since: string;
  /**
   * ISO 8601, with Z or an offset.
   */
  until?: string;
  account_id?: string;
  webhook_id?: string;
}
export interface CountReplayableDeliveriesResponse {
  /**
   * Number of deliveries that a replay would send, counted up to 100,000.
   */
  replayable: number;
}
export interface ReplayDeliveriesBody {
  status: 'failed' | 'delivered' | 'all';
  /**
   * ISO 8601, with Z or an offset.
   */
  since: string;
  /**
   * ISO 8601, with Z or an offset.
   */
  until?: string;
  account_id?: string;
  webhook_id?: string;
}
export interface ReplayDeliveriesResponse {
  /**
   * Number of deliveries that are sent again.
   */
  replayed: number;
}
export interface GetAnyDeliveryResponse {
  id: string;
  event: 'capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress';
  /**
   * The `webhook-id`, the same for retries and replays.
   */
  event_id: string;
  request_id: string | null;
  batch_id: string | null;
  /**
   * Null if the capture has its own `webhook_url`.
   */
  webhook_id: string | null;
  url: string;
  status: 'pending' | 'delivered' | 'failed' | 'paused';
  attempt_count: number;
  next_attempt_at: string | null;
  last_status: number | null;
  last_error: string | null;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  completed_at: string | null;
  /**
   * The body of the request.
   */
  payload: {
    [k: string]: unknown;
  };
  attempts: {
    number: number;
    trigger: 'schedule' | 'manual';
    /**
     * ISO 8601, UTC.
     */
    started_at: string;
    /**
     * Unit: milliseconds.
     */
    duration_ms: number | null;
    status: number | null;
    error: string | null;
    response_excerpt: string | null;
  }[];
  account_id: string;
}
export interface RetryAnyDeliveryResponse {
  id: string;
  event: 'capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress';
  /**
   * The `webhook-id`, the same for retries and replays.
   */
  event_id: string;
  request_id: string | null;
  batch_id: string | null;
  /**
   * Null if the capture has its own `webhook_url`.
   */
  webhook_id: string | null;
  url: string;
  status: 'pending' | 'delivered' | 'failed' | 'paused';
  attempt_count: number;
  next_attempt_at: string | null;
  last_status: number | null;
  last_error: string | null;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  completed_at: string | null;
  account_id: string;
}
export interface CountSecretsResponse {
  /**
   * Whether `SECRET_KEY_PREVIOUS` is set.
   */
  previous_key_set: boolean;
  /**
   * Secrets that `SECRET_KEY` decrypts.
   */
  current: number;
  /**
   * Secrets that need `SECRET_KEY_PREVIOUS`.
   */
  previous: number;
  /**
   * Secrets of a key that is no longer set.
   */
  unreadable: number;
}
export interface ReencryptSecretsBody {
  /**
   * The `next_cursor` of the step before.
   */
  cursor?: string;
}
export interface ReencryptSecretsResponse {
  /**
   * Secrets that this step has re-encrypted.
   */
  reencrypted: number;
  /**
   * Secrets that could not be decrypted; unchanged.
   */
  unreadable: number;
  /**
   * Cursor of the next step; null when done.
   */
  next_cursor: string | null;
}
export interface ReadQueuesResponse {
  queues: {
    name: 'captures' | 'deliveries';
    /**
     * Jobs that are due and not started.
     */
    waiting: number;
    /**
     * Jobs in progress.
     */
    active: number;
    /**
     * Jobs that are due later: retries of deliveries.
     */
    delayed: number;
    /**
     * Age of the oldest waiting job; null if none is waiting. Unit: seconds.
     */
    oldest_waiting_s: number | null;
    /**
     * Processes that take jobs from it.
     */
    workers: number;
  }[];
}
export interface ListProcessesResponse {
  /**
   * The clock of the responding gateway.
   */
  at: string;
  /**
   * `away`: Redis is unavailable, and the list is empty. `evicting`: Redis may evict jobs when it is full.
   */
  redis: 'ok' | 'evicting' | 'unavailable';
  database: {
    /**
     * Time of a trivial statement of this gateway, including the wait for a connection; null above two seconds.
     */
    response_ms: number | null;
    /**
     * How far this gateway’s clock is ahead of Postgres’.
     */
    clock_offset_ms: number | null;
    /**
     * Maximum connections of this gateway.
     */
    connections: number;
    connections_in_use: number;
    /**
     * Statements waiting for a connection.
     */
    waiting: number;
  };
  /**
   * By kind, then by start time, oldest first.
   */
  processes: (
    | {
        /**
         * Of this run of the process; a worker’s and a dispatcher’s are in the log.
         */
        id: string;
        host: string;
        pid: number;
        version: string;
        /**
         * The version of Node.
         */
        node: string;
        /**
         * ISO 8601, UTC.
         */
        started_at: string;
        /**
         * Its last report, by its own clock: every 5 s; removed after 15 s.
         */
        seen_at: string;
        /**
         * Resident memory of the process itself. Unit: bytes.
         */
        memory_bytes: number;
        kind: 'api-gateway';
        detail: Record<string, never>;
      }
    | {
        /**
         * Of this run of the process; a worker’s and a dispatcher’s are in the log.
         */
        id: string;
        host: string;
        pid: number;
        version: string;
        /**
         * The version of Node.
         */
        node: string;
        /**
         * ISO 8601, UTC.
         */
        started_at: string;
        /**
         * Its last report, by its own clock: every 5 s; removed after 15 s.
         */
        seen_at: string;
        /**
         * Resident memory of the process itself. Unit: bytes.
         */
        memory_bytes: number;
        kind: 'capture-worker';
        detail: {
          /**
           * Maximum captures at once.
           */
          concurrency: number;
          /**
           * Captures in progress.
           */
          running: number;
          browser: {
            version: string | null;
            /**
             * `failing`: it does not start, and is retried.
             */
            state: 'starting' | 'running' | 'failing';
            started_at: string | null;
            /**
             * Captures by this Chromium.
             */
            captures: number;
            /**
             * How often it ended unexpectedly and was restarted.
             */
            restarts: number;
            /**
             * Of all its processes; null if unknown. Unit: bytes.
             */
            memory_bytes: number | null;
            /**
             * Why it does not start.
             */
            last_error: string | null;
          };
        };
      }
    | {
        /**
         * Of this run of the process; a worker’s and a dispatcher’s are in the log.
         */
        id: string;
        host: string;
        pid: number;
        version: string;
        /**
         * The version of Node.
         */
        node: string;
        /**
         * ISO 8601, UTC.
         */
        started_at: string;
        /**
         * Its last report, by its own clock: every 5 s; removed after 15 s.
         */
        seen_at: string;
        /**
         * Resident memory of the process itself. Unit: bytes.
         */
        memory_bytes: number;
        kind: 'webhook-dispatcher';
        detail: {
          /**
           * Maximum deliveries at once.
           */
          slots: number;
          /**
           * Deliveries in progress.
           */
          in_flight: number;
        };
      }
  )[];
}
export interface ReadActivityQuery {
  /**
   * How many, including the current one. `60` unless given.
   */
  minutes?: number;
}
export interface ReadActivityResponse {
  /**
   * Every minute, oldest first; the last is in progress.
   */
  minutes: {
    /**
     * Start of the minute.
     */
    at: string;
    /**
     * Captures that completed, without cached ones.
     */
    completed: number;
    failed: number;
    cancelled: number;
    /**
     * Median capture duration. Unit: milliseconds.
     */
    p50_ms: number | null;
    /**
     * 95th percentile of the capture duration. Unit: milliseconds.
     */
    p95_ms: number | null;
    /**
     * 95th percentile of the time that single captures waited for a worker; items of a batch wait by design. Unit: milliseconds.
     */
    waited_p95_ms: number | null;
    /**
     * Attempts with a 2xx response; null if attempts are not kept.
     */
    deliveries_succeeded: number | null;
    /**
     * All other attempts.
     */
    deliveries_failed: number | null;
  }[];
  /**
   * The ten accounts with the most open or ended captures, busiest first.
   */
  accounts: {
    id: string;
    email: string;
    plan: string;
    /**
     * Its captures that are queued or in progress.
     */
    open: number;
    /**
     * Its captures that ended in this period.
     */
    ended: number;
    /**
     * Its captures of today (UTC) that completed and count.
     */
    used_today: number;
  }[];
  /**
   * The ten hosts with the most failing deliveries.
   */
  receivers: {
    /**
     * With its port, where the URLs name one.
     */
    host: string;
    /**
     * Accounts with deliveries to it.
     */
    accounts: number;
    /**
     * Deliveries to it that failed and will be retried.
     */
    pending: number;
    /**
     * Earliest due time among them.
     */
    oldest_due_at: string;
    /**
     * Most frequent error.
     */
    last_error: string | null;
  }[];
}
export interface ListCleanupJobsResponse {
  /**
   * All cleanup jobs, including those that have never run.
   */
  cleanup_jobs: {
    name: string;
    owner: 'api-gateway' | 'capture-worker' | 'webhook-dispatcher';
    /**
     * Between two runs. Unit: seconds.
     */
    every_s: number;
    /**
     * Null if it has never run.
     */
    last_started_at: string | null;
    /**
     * End of the last finished run, which the following fields describe. Before `last_started_at`: a run is in progress.
     */
    last_finished_at: string | null;
    /**
     * Unit: milliseconds.
     */
    last_duration_ms: number | null;
    /**
     * Number of items removed, found or fixed; null if it failed.
     */
    last_count: number | null;
    /**
     * Why it failed; null if it succeeded.
     */
    last_error: string | null;
  }[];
}
export interface GetDeploymentResponse {
  /**
   * The published form of this deployment.
   */
  form: string;
  plans: {
    name: string;
    /**
     * Captures per month; null is unlimited.
     */
    monthly_limit: number | null;
    /**
     * Requests per second; null is unlimited.
     */
    per_second: number | null;
  }[];
}
export interface GetQueueBoardFileResponse {
  [k: string]: unknown;
}
export interface AskQueueBoardResponse {
  [k: string]: unknown;
}
export interface GetHealthResponse {
  status: 'ok';
}
export interface GetReadinessResponse {
  status: 'ready' | 'not ready';
  database: 'ok' | 'unavailable';
  redis: 'ok' | 'unavailable';
  /**
   * Running capture workers; null if unknown.
   */
  workers: number | null;
}
export interface GetDocumentResponse {
  [k: string]: unknown;
}
