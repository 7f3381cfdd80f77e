import type { Protocol } from 'puppeteer';
import { contentLimits } from '../limits.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { partsOf } from '../page/look-frames.ts';

/** Frames whose trees are read; ads and trackers have none that is worth reading. */
const framesAtMost = 20;

/** Nodes after which no further frame's tree is read. One tree may have as many, see `maxTreeBytes`. */
const nodesAtMost = 120_000;

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
  const nodes = main ? await nodesOf(main) : [];
  const frames: { url: string; tree: AccessibilityNode }[] = [];
  let read = nodes.length;
  for (const frame of inner.slice(0, framesAtMost)) {
    if (read >= nodesAtMost) break;
    const own = await nodesOf(frame).catch(() => []);
    read += own.length;
    const tree = toTree(own);
    if (tree?.children?.length) frames.push({ url: frame.url(), tree });
  }
  return `${JSON.stringify({ url: main?.url() ?? '', tree: toTree(nodes), frames })}\n`;
}

async function nodesOf(frame: ReturnType<CapturePage['page']['mainFrame']>): Promise<Node[]> {
  const { client, _id: frameId } = partsOf(frame);
  const { nodes } = await client.send('Accessibility.getFullAXTree', { frameId });
  return nodes;
}

/** Returns null if there are no nodes. What is deeper than the limit is left out. */
function toTree(nodes: readonly Node[]): AccessibilityNode | null {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  /** Adds a node to the children of one above it. What is ignored stands for its children; lines of text repeat their text. */
  const add = (node: Node, depth: number, siblings: AccessibilityNode[]): void => {
    const role = String(node.role?.value ?? '');
    if (role === 'InlineTextBox') return;
    const isShown = !node.ignored && ((role !== 'none' && role !== 'generic') || Boolean(node.name?.value));
    const children: AccessibilityNode[] = isShown ? [] : siblings;
    if (depth < contentLimits.depth) {
      for (const id of node.childIds ?? []) {
        const child = byId.get(id);
        if (child) add(child, depth + 1, children);
      }
    }
    if (!isShown) return;
    const properties = (node.properties ?? []).filter(({ name, value }) => isInformative(name, value.value));
    siblings.push({
      role,
      ...textOf('name', node.name),
      ...textOf('value', node.value),
      ...textOf('description', node.description),
      ...Object.fromEntries(properties.map(({ name, value }) => [name, value.value])),
      ...(children.length > 0 && { children }),
    });
  };
  const root = nodes.find((node) => node.parentId === undefined);
  const roots: AccessibilityNode[] = [];
  if (root) add(root, 0, roots);
  return roots[0] ?? null;
}

/** Whether a property informs: its default does not, and relations name nodes that a reader does not see. */
function isInformative(name: string, value: unknown): boolean {
  if (name === 'focusable' || name === 'url') return name === 'url' && typeof value === 'string';
  return value !== undefined && value !== false && value !== 'false' && value !== '' && typeof value !== 'object';
}

function textOf(name: string, value: Protocol.Accessibility.AXValue | undefined): Record<string, unknown> {
  return value?.value === undefined || value.value === '' ? {} : { [name]: value.value };
}
