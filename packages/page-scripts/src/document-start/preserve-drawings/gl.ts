import { invoke } from '../page-world/wrap.ts';

const { getOwnPropertyDescriptors } = Object;

/** A WebGL context, with the methods and constants that its class had before the page could replace them. */
export interface Gl {
  context: object;
  own: Record<string, PropertyDescriptor | undefined>;
}

export function ownOf(prototype: object): Gl['own'] {
  return getOwnPropertyDescriptors(prototype) as Gl['own'];
}

function call({ context, own }: Gl, name: string, ...args: unknown[]): unknown {
  return invoke(own[name]?.value, context, args);
}

function read(gl: Gl, name: string): unknown {
  return call(gl, 'getParameter', gl.own[name]?.value);
}

/** Returns the number of a capability that is on; null if it is off or does not exist. */
function enabled(gl: Gl, name: string): unknown {
  const capability = gl.own[name]?.value;
  return capability !== undefined && call(gl, 'isEnabled', capability) ? capability : null;
}

/** Whether the context draws into a texture, which is not shown. */
export function isDrawnOffScreen(gl: Gl): boolean {
  return Boolean(read(gl, 'FRAMEBUFFER_BINDING'));
}

/** Empties the canvas, and restores the state of the context. */
export function empty(gl: Gl): void {
  const color = read(gl, 'COLOR_CLEAR_VALUE') as ArrayLike<number> | null;
  const mask = read(gl, 'COLOR_WRITEMASK') as ArrayLike<boolean> | null;
  // The context is lost.
  if (!color || !mask) return;
  const [depth, stencil] = [read(gl, 'DEPTH_CLEAR_VALUE'), read(gl, 'STENCIL_CLEAR_VALUE')];
  const depthMask = read(gl, 'DEPTH_WRITEMASK');
  const [front, back] = [read(gl, 'STENCIL_WRITEMASK'), read(gl, 'STENCIL_BACK_WRITEMASK')];
  const limits = [enabled(gl, 'SCISSOR_TEST'), enabled(gl, 'RASTERIZER_DISCARD')];
  for (const limit of limits) if (limit !== null) call(gl, 'disable', limit);
  call(gl, 'clearColor', 0, 0, 0, 0);
  call(gl, 'colorMask', true, true, true, true);
  call(gl, 'clearDepth', 1);
  call(gl, 'depthMask', true);
  call(gl, 'clearStencil', 0);
  call(gl, 'stencilMask', -1);
  // These bits stand for colours, depths and stencil.
  call(gl, 'clear', 0x4000 | 0x100 | 0x400);
  call(gl, 'clearColor', color[0], color[1], color[2], color[3]);
  call(gl, 'colorMask', mask[0], mask[1], mask[2], mask[3]);
  call(gl, 'clearDepth', depth);
  call(gl, 'depthMask', depthMask);
  call(gl, 'clearStencil', stencil);
  call(gl, 'stencilMaskSeparate', gl.own.FRONT?.value, front);
  call(gl, 'stencilMaskSeparate', gl.own.BACK?.value, back);
  for (const limit of limits) if (limit !== null) call(gl, 'enable', limit);
}
