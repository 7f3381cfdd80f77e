/// <reference lib="dom" />
import type { CDPSession } from 'puppeteer';

/**
 * Lets WebGL canvases keep what they have drawn, so that it can be printed. Without a GPU, Chromium hands each drawing over to
 * the screen and keeps no copy that its printing could read: such a canvas would be blank on paper. Canvases that are 2D, or
 * that are drawn off the screen, have one.
 *
 * @param session of the page, or of a cross-site frame. It does so in the documents that are shown later.
 */
export async function preserveDrawings(session: CDPSession): Promise<void> {
  // A frame's session has no `Page` events yet, and without them it runs no script in new documents.
  await Promise.all([session.send('Page.enable'), session.send('Page.addScriptToEvaluateOnNewDocument', { source })]);
}

/** Does so in the empty document that the page shows already. */
export async function preserveInDocument(session: CDPSession): Promise<void> {
  await session.send('Runtime.evaluate', { expression: source });
}

/**
 * Runs before the page's scripts, in their world. They see the attributes that they have asked for, and a canvas is empty when
 * they begin to draw a new frame, as they expect: one that they do not clear would show all of its frames at once.
 */
function preserve(): void {
  const { apply, get } = Reflect;
  const { create, getOwnPropertyDescriptor: describe } = Object;
  /** The frame that each context was last drawn in; null before, and false if the page has asked to keep its drawings. */
  const frames = new WeakMap<object, number | null | false>();
  const [frameOf, note] = [frames.get.bind(frames), frames.set.bind(frames)];
  const readTime = describe(AnimationTimeline.prototype, 'currentTime')?.get?.bind(document.timeline);
  type Call = (target: () => unknown, self: object, args: unknown[]) => unknown;
  const wrap = (owner: object, name: string, call: Call) => {
    const property = describe(owner, name);
    if (typeof property?.value !== 'function') return;
    Object.defineProperty(owner, name, { ...property, value: new Proxy(property.value, { apply: call }) });
  };
  const isObject = (value: unknown) => typeof value === 'function' || (typeof value === 'object' && value !== null);

  wrap(HTMLCanvasElement.prototype, 'getContext', (target, self, args) => {
    const [kind, given] = args;
    if (kind !== 'webgl' && kind !== 'webgl2' && kind !== 'experimental-webgl') return apply(target, self, args);
    // Others are no attributes: Chromium throws.
    const canChange = given === undefined || given === null || isObject(given);
    const asks = isObject(given) && Boolean(get(given as object, 'preserveDrawingBuffer'));
    // They inherit all others.
    const attributes = canChange ? create(given ?? null, { preserveDrawingBuffer: { value: true } }) : given;
    const context = apply(target, self, [kind, attributes]) as object | null;
    // A canvas returns the same context again.
    if (context && frameOf(context) === undefined) note(context, asks ? false : null);
    return context;
  });

  const drawing = [
    ...['clear', 'clearBufferfv', 'clearBufferiv', 'clearBufferuiv', 'clearBufferfi', 'blitFramebuffer'],
    ...['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced', 'drawRangeElements'],
  ];
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    const gl = prototype as unknown as Record<string, number | undefined>;
    const own = Object.getOwnPropertyDescriptors(prototype) as unknown as Record<string, { value: () => unknown }>;
    const call = (self: object, name: string, args: ArrayLike<unknown>) => apply(own[name]!.value, self, args);
    const read = (self: object, name: string) => call(self, 'getParameter', [gl[name]]);

    const empty = (self: object) => {
      const [color, mask] = [read(self, 'COLOR_CLEAR_VALUE'), read(self, 'COLOR_WRITEMASK')] as ArrayLike<unknown>[];
      // It is lost.
      if (!color || !mask) return;
      const [depth, stencil] = [read(self, 'DEPTH_CLEAR_VALUE'), read(self, 'STENCIL_CLEAR_VALUE')];
      const depthMask = read(self, 'DEPTH_WRITEMASK');
      const [front, back] = [read(self, 'STENCIL_WRITEMASK'), read(self, 'STENCIL_BACK_WRITEMASK')];
      const isOn = (name: string) => gl[name] !== undefined && call(self, 'isEnabled', [gl[name]]);
      const limits = [isOn('SCISSOR_TEST') && gl.SCISSOR_TEST, isOn('RASTERIZER_DISCARD') && gl.RASTERIZER_DISCARD];
      for (const limit of limits) if (limit) call(self, 'disable', [limit]);
      call(self, 'clearColor', [0, 0, 0, 0]);
      call(self, 'colorMask', [true, true, true, true]);
      call(self, 'clearDepth', [1]);
      call(self, 'depthMask', [true]);
      call(self, 'clearStencil', [0]);
      call(self, 'stencilMask', [-1]);
      call(self, 'clear', [gl.COLOR_BUFFER_BIT! | gl.DEPTH_BUFFER_BIT! | gl.STENCIL_BUFFER_BIT!]);
      call(self, 'clearColor', color);
      call(self, 'colorMask', mask);
      call(self, 'clearDepth', [depth]);
      call(self, 'depthMask', [depthMask]);
      call(self, 'clearStencil', [stencil]);
      call(self, 'stencilMaskSeparate', [gl.FRONT, front]);
      call(self, 'stencilMaskSeparate', [gl.BACK, back]);
      for (const limit of limits) if (limit) call(self, 'enable', [limit]);
    };
    const startFrame = (self: object) => {
      const before = frameOf(self);
      const at = readTime?.();
      // What is drawn into a texture is not shown.
      if (before === undefined || before === false || before === at || read(self, 'FRAMEBUFFER_BINDING')) return;
      note(self, at as number);
      if (before !== null) empty(self);
    };
    for (const name of drawing) {
      wrap(prototype, name, (target, self, args) => {
        startFrame(self);
        return apply(target, self, args);
      });
    }
    wrap(prototype, 'getContextAttributes', (target, self, args) => {
      const attributes = apply(target, self, args) as WebGLContextAttributes | null;
      const frame = frameOf(self);
      if (attributes && frame !== undefined && frame !== false) attributes.preserveDrawingBuffer = false;
      return attributes;
    });
  }
}

const source = `(${preserve})()`;
