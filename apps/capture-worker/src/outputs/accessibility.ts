import type { Frame, Protocol } from 'puppeteer';
import { contentLimits } from '../limits.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { partsOf } from '../wait/look-frames.ts';

/** Frames whose trees are read. Frames of ads and trackers have no tree that is worth reading. */
const framesAtMost = 20;

/**
 * No further frame is read once the trees have this many nodes, or as many characters as a file of content. A single tree may
 * have as many, see `maxTreeBytes`.
 */
const nodesAtMost = 120_000;

/** A node of the tree: its role, and the properties that assistive technology reads. */
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

/** Reads the accessibility tree of the page, and the trees of its frames, as JSON. */
export async function readAccessibility(page: CapturePage): Promise<string> {
  const [main, ...inner] = page.page.frames();
  let nodesLeft = nodesAtMost;
  let charactersLeft = contentLimits.text;
  /** Returns JSON at once, because the nodes themselves take some hundred megabytes. */
  const readTree = async (frame: Frame): Promise<string> => {
    const nodes = await readNodes(frame);
    const tree = JSON.stringify(toTree(nodes));
    nodesLeft -= nodes.length;
    charactersLeft -= tree.length;
    return tree;
  };
  const tree = main ? await readTree(main) : 'null';
  const frames: string[] = [];
  for (const frame of inner.slice(0, framesAtMost)) {
    if (nodesLeft <= 0 || charactersLeft <= 0) break;
    const own = await readTree(frame).catch(() => 'null');
    if (own.includes('"children":')) frames.push(`{"url":${JSON.stringify(frame.url())},"tree":${own}}`);
  }
  return `{"url":${JSON.stringify(main?.url() ?? '')},"tree":${tree},"frames":[${frames.join(',')}]}\n`;
}

async function readNodes(frame: Frame): Promise<Node[]> {
  const { client, _id: frameId } = partsOf(frame);
  const { nodes } = await client.send('Accessibility.getFullAXTree', { frameId });
  return nodes;
}

/** Returns null if there are no nodes. Leaves out nodes below the depth limit. */
function toTree(nodes: readonly Node[]): AccessibilityNode | null {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  /**
   * Adds a node to the children of an ancestor. An ignored node is replaced by its children. Lines of text are left out,
   * because they repeat their text.
   */
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

/** Whether a property informs. A default does not, and relations name nodes that a reader does not see. */
function isInformative(name: string, value: unknown): boolean {
  if (name === 'focusable' || name === 'url') return name === 'url' && typeof value === 'string';
  return value !== undefined && value !== false && value !== 'false' && value !== '' && typeof value !== 'object';
}

function textOf(name: string, value: Protocol.Accessibility.AXValue | undefined): Record<string, unknown> {
  return value?.value === undefined || value.value === '' ? {} : { [name]: value.value };
}
