import type {
  ContentRequest,
  ListPresetsQuery,
  OgImageRequest,
  PdfRequest,
  Preset,
  ScreenshotRequest,
} from '../generated/api-types.ts';
import { type Listing, listingOf } from '../http/listing.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

/** Options of captures of any kind, without those that belong to a single capture. */
export type PresetOptions =
  | OptionsOf<ScreenshotRequest>
  | OptionsOf<PdfRequest>
  | OptionsOf<OgImageRequest>
  | OptionsOf<ContentRequest>;

type OptionsOf<Request> = Omit<Request, 'url' | 'html' | 'preset'>;

/** Options stored under a name. A capture uses them with `preset: 'shop'` or, for a fixed version, `preset: 'shop@3'`. */
export class Presets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Stores options as the next version of a preset. Versions count from 1. */
  put(name: string, options: PresetOptions, request?: RequestOptions): Promise<Preset> {
    return this.#transport.json({ method: 'PUT', path: pathOf(name), body: { options }, repeat: 'safe' }, request);
  }

  /** Returns the newest version, or that of a name such as `shop@3`. Secrets are shown as `***`. */
  get(name: string, request?: RequestOptions): Promise<Preset> {
    return this.#transport.json({ method: 'GET', path: pathOf(name), repeat: 'safe' }, request);
  }

  /** Lists the newest version of each preset, last changed first. */
  list(query?: ListPresetsQuery, request?: RequestOptions): Listing<Preset> {
    return listingOf(this.#transport, '/api/v1/presets', 'presets', query, request);
  }

  /** Deletes all versions of a preset. */
  delete(name: string, request?: RequestOptions): Promise<void> {
    return this.#transport.delete(pathOf(name), request);
  }
}

function pathOf(name: string): string {
  return `/api/v1/presets/${encodeURIComponent(name)}`;
}
