import type { Protocol } from 'puppeteer';
import { contentLimits } from '../limits.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { partsOf } from '../page/look-frames.ts';

/** Frames whose trees are read; ads and trackers have none that is worth reading. */
const framesAtMost = 20;

/** A node of the tree: its role, and what assistive technology says of it. */
export interface AccessibilityNode {
  role: string;
  name?: string;
  value?: string | number;
  description?: string;
  /** `level`, `checked`, `expanded`, `disabled` and others. */
  [property: string]: unknown;
  children?: AccessibilityNode[];
}

type Node = Protocol.Accessibility.AXNode;

/** Reads the accessibility tree of the page, and those of its frames, as JSON. */
export async function readAccessibility(page: CapturePage): Promise<string> {
  const [main, ...inner] = page.page.frames();
  const tree = main ? await treeOf(main) : null;
  const frames: { url: string; tree: AccessibilityNode }[] = [];
  for (const frame of inner.slice(0, framesAtMost)) {
    const own = await treeOf(frame).catch(() => null);
    if (own?.children?.length) frames.push({ url: frame.url(), tree: own });
  }
  return `${JSON.stringify({ url: main?.url() ?? '', tree, frames })}\n`;
}

async function treeOf(frame: ReturnType<CapturePage['page']['mainFrame']>): Promise<AccessibilityNode | null> {
  const { client, _id: frameId } = partsOf(frame);
  const { nodes } = await client.send('Accessibility.getFullAXTree', { frameId });
  return toTree(nodes);
}

/** @returns null if there are no nodes. What is deeper or more than the limits is left out. */
export function toTree(nodes: readonly Node[]): AccessibilityNode | null {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  let left = contentLimits.nodes;
  const childrenOf = (node: Node, depth: number): AccessibilityNode[] =>
    (node.childIds ?? []).flatMap((id) => {
      const child = byId.get(id);
      return child && depth < contentLimits.depth ? convert(child, depth + 1) : [];
    });
  /** What is ignored stands for its children; lines of text repeat their text. */
  const convert = (node: Node, depth: number): AccessibilityNode[] => {
    left -= 1;
    const role = String(node.role?.value ?? '');
    if (left < 0 || role === 'InlineTextBox') return [];
    const children = childrenOf(node, depth);
    if (node.ignored || ((role === 'none' || role === 'generic') && !node.name?.value)) return children;
    const properties = (node.properties ?? []).filter(({ name, value }) => isInformative(name, value.value));
    return [
      {
        role,
        ...textOf('name', node.name),
        ...textOf('value', node.value),
        ...textOf('description', node.description),
        ...Object.fromEntries(properties.map(({ name, value }) => [name, value.value])),
        ...(children.length > 0 && { children }),
      },
    ];
  };
  const root = nodes.find((node) => node.parentId === undefined);
  return root ? (convert(root, 0)[0] ?? null) : null;
}

/** Whether a property informs: its default does not, and relations name nodes that a reader does not see. */
function isInformative(name: string, value: unknown): boolean {
  if (name === 'focusable' || name === 'url') return name === 'url' && typeof value === 'string';
  return value !== undefined && value !== false && value !== 'false' && value !== '' && typeof value !== 'object';
}

function textOf(name: string, value: Protocol.Accessibility.AXValue | undefined): Record<string, unknown> {
  return value?.value === undefined || value.value === '' ? {} : { [name]: value.value };
}
