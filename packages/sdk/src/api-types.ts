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
       * What signs; 8 to 255 characters, base64 after `whsec_` if it begins with that.
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
       * What signs; 8 to 255 characters, base64 after `whsec_` if it begins with that.
       */
      secret?: string;
    };

export interface ScreenshotRequest {
  /**
   * The page to capture; required, unless there is `html`.
   */
  url?: string;
  /**
   * A page of your own in place of `url`, up to 2 MB; in a POST only.
   */
  html?: string;
  /**
   * What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped. `auto` unless given.
   */
  wait_until?: 'auto' | 'load' | 'domcontentloaded' | 'networkidle';
  /**
   * A CSS selector that must match something before the capture.
   */
  wait_for_selector?: string;
  /**
   * A further wait. Unit: milliseconds. `0` unless given.
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
   * Up to 50 CSS selectors of what is made invisible, its place kept; none need match.
   *
   * @maxItems 50
   */
  hide_selectors?: string[];
  /**
   * Up to 50 CSS selectors of what is taken out of the page; none need match.
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
   * Answered when the origin of the URL asks for it (HTTP Basic), and to no other.
   */
  basic_auth?: {
    username: string;
    password: string;
  };
  /**
   * The language that the page is asked for and finds, a BCP 47 tag. `en-US` unless given.
   */
  locale?: string;
  /**
   * The time zone of the page, an IANA name. `UTC` unless given.
   */
  timezone?: string;
  /**
   * Where the page finds itself: `latitude` −90 to 90, `longitude` −180 to 180, `accuracy` in meters. Unit: degrees.
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
   * The medium whose style rules apply: `print` for a PDF unless said otherwise, else `screen`.
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
   * Kinds of resources that are not loaded.
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
   * Device pixels in one CSS pixel: 2 gives a picture of twice the width and height. Unit: device pixels in a CSS pixel. `1` unless given.
   */
  device_scale_factor?: number;
  /**
   * A device by Puppeteer’s name, in any case. It sets the viewport, its scale, touch and the user agent, and is not taken together with those.
   */
  device?: string;
  /**
   * The user agent that the page is asked for with and finds.
   */
  user_agent?: string;
  /**
   * The format of the picture. `png` unless given.
   */
  format?: 'png' | 'jpeg' | 'webp';
  /**
   * Quality of a jpeg or webp; not taken with png. Unit: percent. `80` unless given.
   */
  quality?: number;
  /**
   * The whole page rather than the viewport. `false` unless given.
   */
  full_page?: boolean;
  /**
   * The first element that this CSS selector matches, rather than the viewport.
   */
  selector?: string;
  /**
   * A part of the page, from its upper left corner, rather than the viewport. Unit: CSS pixels.
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
   * Resize the picture to this width; alone it keeps the proportions, with `resize_height` it covers and crops. Unit: pixels.
   */
  resize_width?: number;
  /**
   * Resize the picture to this height; alone it keeps the proportions, with `resize_width` it covers and crops. Unit: pixels.
   */
  resize_height?: number;
  /**
   * An equal capture of this account that is younger is given again, free. Unit: seconds. `0` unless given.
   */
  cache_ttl_s?: number;
  /**
   * Up to 20 texts of your own, 4 kB as JSON, that come back in the record.
   */
  metadata?: {
    [k: string]: string;
  };
  /**
   * Answer at once with where the record is to be found, and capture later. `false` unless given.
   */
  async?: boolean;
  /**
   * The bytes of the capture, or its record in place of them. `binary` unless given.
   */
  response_type?: 'binary' | 'json';
  /**
   * Where the events of this capture are delivered.
   */
  webhook_url?: string;
}
export interface PdfRequest {
  /**
   * The page to capture; required, unless there is `html`.
   */
  url?: string;
  /**
   * A page of your own in place of `url`, up to 2 MB; in a POST only.
   */
  html?: string;
  /**
   * What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped. `auto` unless given.
   */
  wait_until?: 'auto' | 'load' | 'domcontentloaded' | 'networkidle';
  /**
   * A CSS selector that must match something before the capture.
   */
  wait_for_selector?: string;
  /**
   * A further wait. Unit: milliseconds. `0` unless given.
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
   * Up to 50 CSS selectors of what is made invisible, its place kept; none need match.
   *
   * @maxItems 50
   */
  hide_selectors?: string[];
  /**
   * Up to 50 CSS selectors of what is taken out of the page; none need match.
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
   * Answered when the origin of the URL asks for it (HTTP Basic), and to no other.
   */
  basic_auth?: {
    username: string;
    password: string;
  };
  /**
   * The language that the page is asked for and finds, a BCP 47 tag. `en-US` unless given.
   */
  locale?: string;
  /**
   * The time zone of the page, an IANA name. `UTC` unless given.
   */
  timezone?: string;
  /**
   * Where the page finds itself: `latitude` −90 to 90, `longitude` −180 to 180, `accuracy` in meters. Unit: degrees.
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
   * The medium whose style rules apply: `print` for a PDF unless said otherwise, else `screen`.
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
   * Kinds of resources that are not loaded.
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
   * Device pixels in one CSS pixel: 2 gives a picture of twice the width and height. Unit: device pixels in a CSS pixel. `1` unless given.
   */
  device_scale_factor?: number;
  /**
   * A device by Puppeteer’s name, in any case. It sets the viewport, its scale, touch and the user agent, and is not taken together with those.
   */
  device?: string;
  /**
   * The user agent that the page is asked for with and finds.
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
   * Print background colours and pictures. `true` unless given.
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
   * Only these pages; all unless given.
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
   * An equal capture of this account that is younger is given again, free. Unit: seconds. `0` unless given.
   */
  cache_ttl_s?: number;
  /**
   * Up to 20 texts of your own, 4 kB as JSON, that come back in the record.
   */
  metadata?: {
    [k: string]: string;
  };
  /**
   * Answer at once with where the record is to be found, and capture later. `false` unless given.
   */
  async?: boolean;
  /**
   * The bytes of the capture, or its record in place of them. `binary` unless given.
   */
  response_type?: 'binary' | 'json';
  /**
   * Where the events of this capture are delivered.
   */
  webhook_url?: string;
}
export interface OgImageRequest {
  /**
   * The page to capture; required, unless there is `html`.
   */
  url?: string;
  /**
   * A page of your own in place of `url`, up to 2 MB; in a POST only.
   */
  html?: string;
  /**
   * What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped. `auto` unless given.
   */
  wait_until?: 'auto' | 'load' | 'domcontentloaded' | 'networkidle';
  /**
   * A CSS selector that must match something before the capture.
   */
  wait_for_selector?: string;
  /**
   * A further wait. Unit: milliseconds. `0` unless given.
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
   * Up to 50 CSS selectors of what is made invisible, its place kept; none need match.
   *
   * @maxItems 50
   */
  hide_selectors?: string[];
  /**
   * Up to 50 CSS selectors of what is taken out of the page; none need match.
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
   * Answered when the origin of the URL asks for it (HTTP Basic), and to no other.
   */
  basic_auth?: {
    username: string;
    password: string;
  };
  /**
   * The language that the page is asked for and finds, a BCP 47 tag. `en-US` unless given.
   */
  locale?: string;
  /**
   * The time zone of the page, an IANA name. `UTC` unless given.
   */
  timezone?: string;
  /**
   * Where the page finds itself: `latitude` −90 to 90, `longitude` −180 to 180, `accuracy` in meters. Unit: degrees.
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
   * The medium whose style rules apply: `print` for a PDF unless said otherwise, else `screen`.
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
   * Kinds of resources that are not loaded.
   *
   * @maxItems 50
   */
  block_resources?: ('image' | 'media' | 'font' | 'stylesheet' | 'script' | 'xhr' | 'fetch' | 'websocket' | 'other')[];
  /**
   * The user agent that the page is asked for with and finds.
   */
  user_agent?: string;
  /**
   * The format of the picture. `png` unless given.
   */
  format?: 'png' | 'jpeg' | 'webp';
  /**
   * Quality of a jpeg or webp; not taken with png. Unit: percent. `80` unless given.
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
   * An equal capture of this account that is younger is given again, free. Unit: seconds. `0` unless given.
   */
  cache_ttl_s?: number;
  /**
   * Up to 20 texts of your own, 4 kB as JSON, that come back in the record.
   */
  metadata?: {
    [k: string]: string;
  };
  /**
   * Answer at once with where the record is to be found, and capture later. `false` unless given.
   */
  async?: boolean;
  /**
   * The bytes of the capture, or its record in place of them. `binary` unless given.
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
   * The page to capture; required, unless there is `html`.
   */
  url?: string;
  /**
   * A page of your own in place of `url`, up to 2 MB; in a POST only.
   */
  html?: string | null;
  /**
   * What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped. `auto` unless given.
   */
  wait_until?: ('auto' | 'load' | 'domcontentloaded' | 'networkidle') | null;
  /**
   * A CSS selector that must match something before the capture.
   */
  wait_for_selector?: string | null;
  /**
   * A further wait. Unit: milliseconds. `0` unless given.
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
   * Up to 50 CSS selectors of what is made invisible, its place kept; none need match.
   */
  hide_selectors?: string[] | null;
  /**
   * Up to 50 CSS selectors of what is taken out of the page; none need match.
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
   * Answered when the origin of the URL asks for it (HTTP Basic), and to no other.
   */
  basic_auth?: {
    username: string;
    password: string;
  } | null;
  /**
   * The language that the page is asked for and finds, a BCP 47 tag. `en-US` unless given.
   */
  locale?: string | null;
  /**
   * The time zone of the page, an IANA name. `UTC` unless given.
   */
  timezone?: string | null;
  /**
   * Where the page finds itself: `latitude` −90 to 90, `longitude` −180 to 180, `accuracy` in meters. Unit: degrees.
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
   * The medium whose style rules apply: `print` for a PDF unless said otherwise, else `screen`.
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
   * Kinds of resources that are not loaded.
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
   * Device pixels in one CSS pixel: 2 gives a picture of twice the width and height. Unit: device pixels in a CSS pixel. `1` unless given.
   */
  device_scale_factor?: number | null;
  /**
   * A device by Puppeteer’s name, in any case. It sets the viewport, its scale, touch and the user agent, and is not taken together with those.
   */
  device?: string | null;
  /**
   * The user agent that the page is asked for with and finds.
   */
  user_agent?: string | null;
  /**
   * The format of the picture. `png` unless given.
   */
  format?: ('png' | 'jpeg' | 'webp') | null;
  /**
   * Quality of a jpeg or webp; not taken with png. Unit: percent. `80` unless given.
   */
  quality?: number | null;
  /**
   * The whole page rather than the viewport. `false` unless given.
   */
  full_page?: boolean | null;
  /**
   * The first element that this CSS selector matches, rather than the viewport.
   */
  selector?: string | null;
  /**
   * A part of the page, from its upper left corner, rather than the viewport. Unit: CSS pixels.
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
   * Resize the picture to this width; alone it keeps the proportions, with `resize_height` it covers and crops. Unit: pixels.
   */
  resize_width?: number | null;
  /**
   * Resize the picture to this height; alone it keeps the proportions, with `resize_width` it covers and crops. Unit: pixels.
   */
  resize_height?: number | null;
  /**
   * An equal capture of this account that is younger is given again, free. Unit: seconds. `0` unless given.
   */
  cache_ttl_s?: number | null;
  /**
   * Up to 20 texts of your own, 4 kB as JSON, that come back in the record.
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
   * The page to capture; required, unless there is `html`.
   */
  url?: string;
  /**
   * A page of your own in place of `url`, up to 2 MB; in a POST only.
   */
  html?: string | null;
  /**
   * What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped. `auto` unless given.
   */
  wait_until?: ('auto' | 'load' | 'domcontentloaded' | 'networkidle') | null;
  /**
   * A CSS selector that must match something before the capture.
   */
  wait_for_selector?: string | null;
  /**
   * A further wait. Unit: milliseconds. `0` unless given.
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
   * Up to 50 CSS selectors of what is made invisible, its place kept; none need match.
   */
  hide_selectors?: string[] | null;
  /**
   * Up to 50 CSS selectors of what is taken out of the page; none need match.
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
   * Answered when the origin of the URL asks for it (HTTP Basic), and to no other.
   */
  basic_auth?: {
    username: string;
    password: string;
  } | null;
  /**
   * The language that the page is asked for and finds, a BCP 47 tag. `en-US` unless given.
   */
  locale?: string | null;
  /**
   * The time zone of the page, an IANA name. `UTC` unless given.
   */
  timezone?: string | null;
  /**
   * Where the page finds itself: `latitude` −90 to 90, `longitude` −180 to 180, `accuracy` in meters. Unit: degrees.
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
   * The medium whose style rules apply: `print` for a PDF unless said otherwise, else `screen`.
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
   * Kinds of resources that are not loaded.
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
   * Device pixels in one CSS pixel: 2 gives a picture of twice the width and height. Unit: device pixels in a CSS pixel. `1` unless given.
   */
  device_scale_factor?: number | null;
  /**
   * A device by Puppeteer’s name, in any case. It sets the viewport, its scale, touch and the user agent, and is not taken together with those.
   */
  device?: string | null;
  /**
   * The user agent that the page is asked for with and finds.
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
   * Print background colours and pictures. `true` unless given.
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
   * Only these pages; all unless given.
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
   * An equal capture of this account that is younger is given again, free. Unit: seconds. `0` unless given.
   */
  cache_ttl_s?: number | null;
  /**
   * Up to 20 texts of your own, 4 kB as JSON, that come back in the record.
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
   * The page to capture; required, unless there is `html`.
   */
  url?: string;
  /**
   * A page of your own in place of `url`, up to 2 MB; in a POST only.
   */
  html?: string | null;
  /**
   * What ends the waiting: `auto` is the load event, then nothing in flight, then two frames, each of them capped. `auto` unless given.
   */
  wait_until?: ('auto' | 'load' | 'domcontentloaded' | 'networkidle') | null;
  /**
   * A CSS selector that must match something before the capture.
   */
  wait_for_selector?: string | null;
  /**
   * A further wait. Unit: milliseconds. `0` unless given.
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
   * Up to 50 CSS selectors of what is made invisible, its place kept; none need match.
   */
  hide_selectors?: string[] | null;
  /**
   * Up to 50 CSS selectors of what is taken out of the page; none need match.
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
   * Answered when the origin of the URL asks for it (HTTP Basic), and to no other.
   */
  basic_auth?: {
    username: string;
    password: string;
  } | null;
  /**
   * The language that the page is asked for and finds, a BCP 47 tag. `en-US` unless given.
   */
  locale?: string | null;
  /**
   * The time zone of the page, an IANA name. `UTC` unless given.
   */
  timezone?: string | null;
  /**
   * Where the page finds itself: `latitude` −90 to 90, `longitude` −180 to 180, `accuracy` in meters. Unit: degrees.
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
   * The medium whose style rules apply: `print` for a PDF unless said otherwise, else `screen`.
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
   * Kinds of resources that are not loaded.
   */
  block_resources?:
    | ('image' | 'media' | 'font' | 'stylesheet' | 'script' | 'xhr' | 'fetch' | 'websocket' | 'other')[]
    | null;
  /**
   * The user agent that the page is asked for with and finds.
   */
  user_agent?: string | null;
  /**
   * The format of the picture. `png` unless given.
   */
  format?: ('png' | 'jpeg' | 'webp') | null;
  /**
   * Quality of a jpeg or webp; not taken with png. Unit: percent. `80` unless given.
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
   * An equal capture of this account that is younger is given again, free. Unit: seconds. `0` unless given.
   */
  cache_ttl_s?: number | null;
  /**
   * Up to 20 texts of your own, 4 kB as JSON, that come back in the record.
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
   * `about:blank` where the page was given as `html`.
   */
  url: string;
  type: 'screenshot' | 'pdf' | 'og_image';
  format: string | null;
  /**
   * Of a PDF: that of its first page in CSS pixels. Unit: pixels.
   */
  width: number | null;
  /**
   * Of a PDF: that of its first page in CSS pixels. Unit: pixels.
   */
  height: number | null;
  /**
   * Unit: bytes.
   */
  file_size: number | null;
  /**
   * From when a worker took it to its end. Unit: milliseconds.
   */
  duration_ms: number | null;
  file_url: string | null;
  /**
   * When the link stops and the file is removed.
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
   * As given; values of `cookies`, `headers` and `basic_auth` as `***`, in lists those over 10,000 characters as `…`.
   */
  options: {
    [k: string]: unknown;
  };
  /**
   * As given.
   */
  metadata: {
    [k: string]: string;
  } | null;
  /**
   * Whether an earlier equal capture was given again.
   */
  cached: boolean;
  /**
   * ISO 8601, UTC.
   */
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  /**
   * What was learnt on the way, whatever came of it.
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
   * `completed` where an equal capture was given again.
   */
  status: 'queued' | 'completed';
  /**
   * Where the record is to be found.
   */
  status_url: string;
  /**
   * How many are before it.
   */
  position: number;
  /**
   * When it is expected to end; null if that cannot be told. Unit: milliseconds.
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
   * A signed link to the file, which needs no key and stops at `expires_at`.
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
     * Captures that are still open.
     */
    reserved: number;
    /**
     * Captures a month; null is unlimited.
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
   * The key itself, shown this once.
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
   * The request; the capture where there is one.
   */
  request_id: string;
  /**
   * Of a 400: each field at fault, the first 50 of them.
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
     * The `webhook-id`, constant over retries and replays.
     */
    event_id: string;
    request_id: string | null;
    batch_id: string | null;
    /**
     * Null where the capture itself named the receiver.
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
   * The `webhook-id`, constant over retries and replays.
   */
  event_id: string;
  request_id: string | null;
  batch_id: string | null;
  /**
   * Null where the capture itself named the receiver.
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
   * The body that is sent.
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
   * The `webhook-id`, constant over retries and replays.
   */
  event_id: string;
  request_id: string | null;
  batch_id: string | null;
  /**
   * Null where the capture itself named the receiver.
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
   * How many deliveries are sent again.
   */
  replayed: number;
}
export interface RegisterWebhookResponse {
  /**
   * Whether the endpoint answered 2xx.
   */
  delivered: boolean;
  /**
   * The HTTP status that it answered.
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
   * Where it was made here; shown this once.
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
   * Paused, deliveries are held back; active again, they go out.
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
   * Whether the endpoint answered 2xx.
   */
  delivered: boolean;
  /**
   * The HTTP status that it answered.
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
   * What signs; 8 to 255 characters, base64 after `whsec_` if it begins with that.
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
     * UTC: when the captures were asked for.
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
     * Captures that were given again, which cost nothing.
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
   * Until when the former one signs beside it.
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
   * How long the former key stays valid. Unit: seconds. `0` unless given.
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
   * The key itself, shown this once.
   */
  apiKey: string;
  /**
   * Until when the former key works.
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
   * The key itself, shown this once.
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
   * Whose key it stands in for.
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
     * The `webhook-id`, constant over retries and replays.
     */
    event_id: string;
    request_id: string | null;
    batch_id: string | null;
    /**
     * Null where the capture itself named the receiver.
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
   * How many deliveries a replay would send again, counted up to 100,000.
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
   * How many deliveries are sent again.
   */
  replayed: number;
}
export interface GetAnyDeliveryResponse {
  id: string;
  event: 'capture.completed' | 'capture.failed' | 'batch.completed' | 'batch.progress';
  /**
   * The `webhook-id`, constant over retries and replays.
   */
  event_id: string;
  request_id: string | null;
  batch_id: string | null;
  /**
   * Null where the capture itself named the receiver.
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
   * The body that is sent.
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
   * The `webhook-id`, constant over retries and replays.
   */
  event_id: string;
  request_id: string | null;
  batch_id: string | null;
  /**
   * Null where the capture itself named the receiver.
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
   * Secrets that `SECRET_KEY` opens.
   */
  current: number;
  /**
   * Secrets that need `SECRET_KEY_PREVIOUS`.
   */
  previous: number;
  /**
   * Secrets of a key that is not set any more.
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
   * Secrets that this step has encrypted anew.
   */
  reencrypted: number;
  /**
   * Secrets that did not open; they stay as they are.
   */
  unreadable: number;
  /**
   * Where to go on; null when all is done.
   */
  next_cursor: string | null;
}
export interface ReadQueuesResponse {
  queues: {
    name: 'captures' | 'deliveries';
    /**
     * What is due and nobody has begun.
     */
    waiting: number;
    /**
     * What is being done.
     */
    active: number;
    /**
     * What is due later: retries of deliveries.
     */
    delayed: number;
    /**
     * For how long the oldest that waits has waited; null if none does. Unit: seconds.
     */
    oldest_waiting_s: number | null;
    /**
     * Processes that are alive and take from it.
     */
    workers: number;
  }[];
}
export interface ListProcessesResponse {
  /**
   * The clock of the gateway that answers.
   */
  at: string;
  /**
   * `away`: nobody can be asked for, and the list is empty. `evicting`: it may throw jobs away when it is full.
   */
  redis: 'ok' | 'evicting' | 'unavailable';
  database: {
    /**
     * What a bare statement takes this gateway, the wait for a connection included; null beyond two seconds.
     */
    response_ms: number | null;
    /**
     * By how much this gateway’s clock is ahead of Postgres’.
     */
    clock_offset_ms: number | null;
    /**
     * That this gateway may have at most.
     */
    connections: number;
    connections_in_use: number;
    /**
     * Statements that wait for a connection, all being in use.
     */
    waiting: number;
  };
  /**
   * By kind, then the longest running first.
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
         * When it last reported itself, every 5 s by its own clock; gone 15 s after.
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
         * When it last reported itself, every 5 s by its own clock; gone 15 s after.
         */
        seen_at: string;
        /**
         * Resident memory of the process itself. Unit: bytes.
         */
        memory_bytes: number;
        kind: 'capture-worker';
        detail: {
          /**
           * Captures that it renders at once.
           */
          concurrency: number;
          /**
           * Captures that it renders now.
           */
          running: number;
          browser: {
            version: string | null;
            /**
             * `failing`: it does not start, and is tried again.
             */
            state: 'starting' | 'running' | 'failing';
            started_at: string | null;
            /**
             * Captures that this Chromium has made.
             */
            captures: number;
            /**
             * How often one ended by itself and another was started.
             */
            restarts: number;
            /**
             * Of all its processes; null where that cannot be told. Unit: bytes.
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
         * When it last reported itself, every 5 s by its own clock; gone 15 s after.
         */
        seen_at: string;
        /**
         * Resident memory of the process itself. Unit: bytes.
         */
        memory_bytes: number;
        kind: 'webhook-dispatcher';
        detail: {
          /**
           * Deliveries that it sends at once.
           */
          slots: number;
          /**
           * Deliveries that it sends now.
           */
          in_flight: number;
        };
      }
  )[];
}
export interface ReadActivityQuery {
  /**
   * How many, with the one under way. `60` unless given.
   */
  minutes?: number;
}
export interface ReadActivityResponse {
  /**
   * Every minute, the oldest first; the last is under way.
   */
  minutes: {
    /**
     * When the minute began.
     */
    at: string;
    /**
     * Captures that completed; not those that were given again.
     */
    completed: number;
    failed: number;
    cancelled: number;
    /**
     * What half of the captures took on a page at most. Unit: milliseconds.
     */
    p50_ms: number | null;
    /**
     * The same of 95 in 100. Unit: milliseconds.
     */
    p95_ms: number | null;
    /**
     * For how long 95 in 100 single captures waited for a worker at most; items of a batch wait by design. Unit: milliseconds.
     */
    waited_p95_ms: number | null;
    /**
     * Attempts that receivers answered with 2xx; null where none are kept.
     */
    deliveries_succeeded: number | null;
    /**
     * The other attempts.
     */
    deliveries_failed: number | null;
  }[];
  /**
   * The ten that have most open or ended, the busiest first.
   */
  accounts: {
    id: string;
    email: string;
    plan: string;
    /**
     * Its captures that wait or are being rendered.
     */
    open: number;
    /**
     * Its captures that ended in these minutes.
     */
    ended: number;
    /**
     * Its captures of today (UTC) that completed and count.
     */
    used_today: number;
  }[];
  /**
   * The ten hosts at which most deliveries fail.
   */
  receivers: {
    /**
     * With its port, where the URLs name one.
     */
    host: string;
    /**
     * How many accounts send to it.
     */
    accounts: number;
    /**
     * Deliveries to it whose last attempt failed and that are tried again.
     */
    pending: number;
    /**
     * When the first of them is, or was, due.
     */
    oldest_due_at: string;
    /**
     * What most of them failed with.
     */
    last_error: string | null;
  }[];
}
export interface ListCleanupJobsResponse {
  /**
   * Every cleanup job, those that have never run too.
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
     * When the last run ended that did; what follows is of that run. Before `last_started_at`: one is under way.
     */
    last_finished_at: string | null;
    /**
     * Unit: milliseconds.
     */
    last_duration_ms: number | null;
    /**
     * What it removed, found or mended; null if it failed.
     */
    last_count: number | null;
    /**
     * Why it failed; null if it did not.
     */
    last_error: string | null;
  }[];
}
export interface GetDeploymentResponse {
  /**
   * The published form that is served.
   */
  form: string;
  plans: {
    name: string;
    /**
     * Captures a month; null is unlimited.
     */
    monthly_limit: number | null;
    /**
     * Requests a second; null is unlimited.
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
   * Capture workers that are there; null if that cannot be told.
   */
  workers: number | null;
}
export interface GetDocumentResponse {
  [k: string]: unknown;
}
