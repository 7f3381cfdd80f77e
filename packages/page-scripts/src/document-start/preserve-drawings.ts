import { invoke, wrap } from './page-world/wrap.ts';
import { empty, type Gl, isDrawnOffScreen, ownOf } from './preserve-drawings/gl.ts';
import { type Attributes, makeContext } from './preserve-drawings/make-context.ts';

/**
 * The frame in which each context was last drawn; null before the first drawing, and false if the page itself keeps its drawings.
 */
const frames = new WeakMap<object, number | null | false>();
const [frameOf, note] = [frames.get.bind(frames), frames.set.bind(frames)];
const readTime = Object.getOwnPropertyDescriptor(AnimationTimeline.prototype, 'currentTime')?.get?.bind(
  document.timeline,
);

const drawing = [
  ...['clear', 'clearBufferfv', 'clearBufferiv', 'clearBufferuiv', 'clearBufferfi', 'blitFramebuffer'],
  ...['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced', 'drawRangeElements'],
];

/**
 * Lets WebGL canvases keep their drawings, so that Chromium can print them. Runs before the page's scripts, in their world. These
 * scripts see the attributes that they have asked for, and an empty canvas when they start a new frame, as they expect: a canvas
 * that they do not clear would show all of its frames at once.
 */
export default function preserveDrawings(): void {
  wrap(HTMLCanvasElement.prototype, 'getContext', (target, self, args) => {
    const { context, keeps } = makeContext(target, self, args);
    // A canvas returns the same context again.
    if (context && keeps !== null && frameOf(context) === undefined) note(context, keeps ? false : null);
    return context;
  });
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    const own = ownOf(prototype);
    for (const name of drawing) {
      wrap(prototype, name, (target, self, args) => {
        startFrame({ context: self as object, own });
        return invoke(target, self, args);
      });
    }
    wrap(prototype, 'getContextAttributes', (target, self, args) => {
      const attributes = invoke(target, self, args) as Attributes | null;
      const frame = frameOf(self as object);
      if (attributes && frame !== undefined && frame !== false) attributes.preserveDrawingBuffer = false;
      return attributes;
    });
  }
}

function startFrame(gl: Gl): void {
  const before = frameOf(gl.context);
  const at = readTime?.();
  if (before === undefined || before === false || before === at || isDrawnOffScreen(gl)) return;
  note(gl.context, at as number);
  if (before !== null) empty(gl);
}
