import type { InputOf, OutputOf, WorldScript } from '@capture/page-scripts/scripts';
import type { Deadline } from '../deadline.ts';
import { maxPixelHeight, maxPixels } from '../limits.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { settle, waitForFrame } from '../wait/settle.ts';

const callWithinMs = 10_000;

/** Pages wider than this, CSS pixels, and than four viewports, are wide by mistake: text moved out of sight by 9,999 pixels. */
const widest = { pixels: 9_000, viewports: 4 };

export interface PageScreen {
  width: number;
  height: number;
  device_scale_factor: number;
  is_mobile: boolean;
  /** The scale at which Chromium draws the page meanwhile, default 1. Scripts and styles do not see it. */
  drawn_scale?: number;
  full_page?: boolean;
  scroll?: boolean;
}

/** The size of the page with all its content, CSS pixels. */
export interface PageSize {
  width: number;
  height: number;
  /** How far the page reaches to the left of its start: pages that are written from right to left. */
  left: number;
  /** Whether the page is worth showing beyond the window's width. */
  isWide: boolean;
  /** The factor by which a phone scales a page without a mobile layout; else 1. */
  scale: number;
}

type Measured = PageSize & Pick<OutputOf<'measurePage'>, 'windowHeight' | 'endsEarly' | 'squeezes'>;

/** A page in a viewport that becomes as tall as the page. */
export class TallPage {
  readonly page: CapturePage;
  readonly screen: PageScreen;
  readonly deadline: Deadline;
  /** The end of waiting for the page, as `performance.now()`. */
  readonly end: number;
  /** The height of the viewport, CSS pixels. */
  grown: number;
  /** Whether scenes were watched while the page was scrolled, or showing the end of the page was enough. */
  scenes: 'none' | 'watched' | 'shown' = 'none';
  /** The size in the visitor's window. */
  size: PageSize = { width: 0, height: 0, left: 0, isWide: false, scale: 1 };
  /** Puts everything back in its place in a viewport of another height. */
  readonly place: () => Promise<void>;

  constructor(
    page: CapturePage,
    screen: PageScreen,
    { deadline, end, place }: { deadline: Deadline; end: number; place: (tall: TallPage) => Promise<void> },
  ) {
    this.page = page;
    this.screen = screen;
    this.deadline = deadline;
    this.end = end;
    this.grown = screen.height;
    this.place = () => place(this);
  }

  /** Whether the page is taller than an image can be: its viewport then stays as it is. */
  get isTooTall(): boolean {
    return this.size.height > tallestOf(this.screen);
  }

  get hasGrown(): boolean {
    return this.grown > this.screen.height;
  }

  /** How long the page may still take, milliseconds. */
  get leftMs(): number {
    return this.end - performance.now();
  }

  /** Calls a script; null if the page prevents it. */
  call<Name extends WorldScript>(script: Name, input: InputOf<Name>): Promise<OutputOf<Name> | null> {
    return bestEffort(this.#call(script, input));
  }

  #call<Name extends WorldScript>(script: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    const limits = { what: `preparing the page (${script})`, limitMs: callWithinMs, deadline: this.deadline };
    return runInPage(this.page, script, input, limits);
  }

  async measure(): Promise<Measured> {
    let measured = await this.#call('measurePage', null);
    if (measured.height > tallestOf(this.screen)) {
      await this.call('returnStrays', null);
      measured = await this.#call('measurePage', null);
    }
    const { viewport, width, ...size } = measured;
    const isWide = width > viewport && width <= Math.max(viewport * widest.viewports, widest.pixels);
    return { ...size, height: Math.ceil(size.height), isWide, width: isWide ? width : this.screen.width / size.scale };
  }

  /** Gives the viewport another height, CSS pixels, and puts everything back in its place. */
  async growTo(height: number): Promise<void> {
    await this.layOut(height);
    await this.place();
  }

  /** Only gives the viewport a height, CSS pixels. */
  async layOut(height: number): Promise<void> {
    const { width, device_scale_factor: deviceScaleFactor, is_mobile: mobile, drawn_scale: scale = 1 } = this.screen;
    const metrics = { width, height, deviceScaleFactor, mobile, scale };
    const laying = this.page.session.send('Emulation.setDeviceMetricsOverride', metrics);
    await this.page.step('growing the viewport', callWithinMs, this.deadline, laying);
  }

  /** Shows the page in the visitor's window, and waits until it has settled. */
  async showAsVisited(withinMs: number): Promise<void> {
    await this.layOut(this.screen.height);
    await this.frame();
    await this.settle(withinMs);
  }

  /** Lets scripts react to the new size, and waits for the result until `end`, as `performance.now()`. */
  async announce(end: number): Promise<void> {
    await this.frame();
    await this.call('announceScroll', null);
    await this.settle(end - performance.now());
  }

  async settle(withinMs: number): Promise<void> {
    await settle(this.page, 'auto', this.deadline, withinMs);
  }

  async frame(): Promise<void> {
    await waitForFrame(this.page, this.deadline);
  }
}

/**
 * Returns the height of the tallest page that fits an image, CSS pixels. Paper shows a taller page without growing its viewport.
 */
export function tallestOf({ width, device_scale_factor: scale }: Omit<PageScreen, 'height'>): number {
  return Math.min(maxPixelHeight / scale, maxPixels / (width * scale ** 2));
}
