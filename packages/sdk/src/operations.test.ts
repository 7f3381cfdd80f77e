import { describe, expect, it } from '@jest/globals';
import { readDocument } from '../scripts/read-document.mjs';
import { CaptureClient } from './client.ts';
import { OperatorClient } from './operator.ts';
import { register } from './register.ts';

/** Records requests in place of a service. */
interface Recorder {
  client: CaptureClient;
  operator: OperatorClient;
  connection: { baseUrl: string; fetch: typeof fetch };
}

const url = 'https://example.com/';
const page = { url };
const events: 'capture.completed'[] = ['capture.completed'];
const since = '2026-11-20T00:00:00Z';

/** Every operation of the document and its method. */
const methods: Record<string, (recorder: Recorder) => Promise<unknown>> = {
  takeScreenshot: ({ client }) => client.screenshot(page),
  takePdf: ({ client }) => client.pdf(page),
  takeOgImage: ({ client }) => client.ogImage(page),
  takeContent: ({ client }) => client.content(page),
  listCaptures: ({ client }) => client.captures.list().page(),
  getCapture: ({ client }) => client.captures.get('x'),
  deleteCapture: ({ client }) => client.captures.delete('x'),
  getThumbnail: ({ client }) => client.captures.thumbnail('x'),
  getFile: ({ client }) => client.files.download('https://captures.test/files/x'),
  submitBatch: ({ client }) => client.batches.create({ items: [page] }),
  listBatches: ({ client }) => client.batches.list().page(),
  getBatch: ({ client }) => client.batches.get('x'),
  cancelBatch: ({ client }) => client.batches.cancel('x'),
  watchBatch: ({ client }) => client.batches.wait('x'),
  getBatchArchive: ({ client }) => client.batches.archive('x'),
  putPreset: ({ client }) => client.presets.put('x', { width: 800 }),
  listPresets: ({ client }) => client.presets.list().page(),
  getPreset: ({ client }) => client.presets.get('x'),
  deletePreset: ({ client }) => client.presets.delete('x'),
  registerWebhook: ({ client }) => client.webhooks.register({ url, events }),
  testWebhook: ({ client }) => client.webhooks.test({ webhook_url: url, events }),
  listWebhooks: ({ client }) => client.webhooks.list().page(),
  getWebhook: ({ client }) => client.webhooks.get('x'),
  getWebhookStatistics: ({ client }) => client.webhooks.statistics('x'),
  changeWebhook: ({ client }) => client.webhooks.update('x', { status: 'paused' }),
  deleteWebhook: ({ client }) => client.webhooks.delete('x'),
  testRegisteredWebhook: ({ client }) => client.webhooks.testEndpoint('x'),
  rotateWebhookSecret: ({ client }) => client.webhooks.rotateSecret('x'),
  replayWebhook: ({ client }) => client.webhooks.replay('x', { since }),
  listDeliveries: ({ client }) => client.deliveries.list().page(),
  getDelivery: ({ client }) => client.deliveries.get('x'),
  retryDelivery: ({ client }) => client.deliveries.retry('x'),
  register: ({ connection }) => register({ ...connection, email: 'ada@example.com' }),
  getAccount: ({ client }) => client.account.get(),
  getUsage: ({ client }) => client.account.usage(),
  getSigningSecret: ({ client }) => client.account.signingSecret(),
  rotateSigningSecret: ({ client }) => client.account.rotateSigningSecret(),
  listKeys: ({ client }) => client.keys.list().page(),
  addKey: ({ client }) => client.keys.create({ name: 'CI' }),
  revokeKey: ({ client }) => client.keys.revoke('x'),
  rotateKey: ({ client }) => client.keys.rotate('x'),
  rotateLinkSecret: ({ client }) => client.links.rotateSecret({ overlap_s: 60 }),
  getLinkSecret: ({ client }) => client.links.secret(),
  deleteLinkSecret: ({ client }) => client.links.deleteSecret(),
  getLinkPolicy: ({ client }) => client.links.policy(),
  putLinkPolicy: ({ client }) => client.links.setPolicy({ renders_per_day: 1 }),
  listAccounts: ({ operator }) => operator.accounts().page(),
  changeAccount: ({ operator }) => operator.changeAccount('x', { plan: 'pro' }),
  deleteAccount: ({ operator }) => operator.deleteAccount('x'),
  issueKey: ({ operator }) => operator.issueKey('x'),
  issueSigningSecret: ({ operator }) => operator.issueSigningSecret('x'),
  listAllCaptures: ({ operator }) => operator.captures().page(),
  listAllDeliveries: ({ operator }) => operator.deliveries().page(),
  getAnyDelivery: ({ operator }) => operator.delivery('x'),
  countReplayableDeliveries: ({ operator }) => operator.countReplayable({ status: 'failed', since }),
  retryAnyDelivery: ({ operator }) => operator.retryDelivery('x'),
  replayDeliveries: ({ operator }) => operator.replayDeliveries({ status: 'failed', since }),
  countSecrets: ({ operator }) => operator.secrets(),
  reencryptSecrets: ({ operator }) => operator.reencryptSecrets(),
  readQueues: ({ operator }) => operator.queues(),
  listProcesses: ({ operator }) => operator.processes(),
  readActivity: ({ operator }) => operator.activity({ minutes: 5 }),
  listCleanupJobs: ({ operator }) => operator.cleanupJobs(),
  getDeployment: ({ operator }) => operator.deployment(),
  getMetrics: ({ operator }) => operator.metrics(),
  getHealth: ({ client }) => client.service.health(),
  getReadiness: ({ client }) => client.service.readiness(),
  getDocument: ({ client }) => client.service.document(),
};

/** Operations without a method, and the reasons. */
const leftOut: Record<string, string> = {
  getScreenshot: 'takeScreenshot does the same, keeps options out of URLs and can be retried',
  getPdf: 'as getScreenshot',
  getOgImage: 'as getScreenshot',
  getContent: 'as getScreenshot',
  signIn: 'for the dashboard’s own page',
  signOut: 'for the dashboard’s own page',
  requestSignInLink: 'for the dashboard’s own page',
  mcp: 'for clients of agents, which have other libraries',
  signLink: 'signLink of the SDK signs without a request',
  getRenderLink: 'for browsers and mails; signLink makes its URL',
  getIndex: 'lists URLs that clients build themselves',
  getQueueBoard: 'a page to be read',
  getQueueBoardPlace: 'a page to be read',
  getQueueBoardFile: 'a file of that page',
  askQueueBoard: 'the requests of that page, in another format',
  getDocs: 'a page to be read',
  getDocsFile: 'a file of that page',
  getDocsPage: 'a page to be read',
  getDashboard: 'a page to be read',
  getDashboardPlace: 'a page to be read',
  getDashboardFile: 'a file of that page',
};

interface Operation {
  operationId: string;
  parameters?: { $ref?: string }[];
  requestBody?: { required: boolean };
  security: object[];
}

const documents = { A: readDocument('A'), B: readDocument('B') };

function listOperations(form: 'A' | 'B'): Map<string, { method: string; path: string; operation: Operation }> {
  const found = new Map<string, { method: string; path: string; operation: Operation }>();
  for (const [path, item] of Object.entries<Record<string, Operation>>(documents[form].paths)) {
    for (const [method, operation] of Object.entries(item)) {
      found.set(operation.operationId, { method: method.toUpperCase(), path, operation });
    }
  }
  return found;
}

/** Calls a method and returns the request that it sent. */
async function recordRequest(call: (recorder: Recorder) => Promise<unknown>) {
  const sent: { method: string; path: string; headers: Headers; body: unknown }[] = [];
  const connection = {
    baseUrl: 'https://captures.test',
    fetch: async (input: string | URL | Request, init: RequestInit = {}) => {
      const { method = 'GET', headers, body } = init;
      sent.push({ method, path: new URL(String(input)).pathname, headers: new Headers(headers), body });
      const ended = { status: 'completed', total: 0, succeeded: 0, failed: 0, cancelled: 0 };
      const isStream = String(input).endsWith('/events');
      return new Response(isStream ? `event: completed\ndata: ${JSON.stringify(ended)}\n\n` : '{}');
    },
  };
  const client = new CaptureClient({ ...connection, apiKey: 'an-account-s' });
  await call({ client, operator: new OperatorClient({ ...connection, operatorKey: 'an-operator-s' }), connection });
  expect(sent).toHaveLength(1);
  return sent[0]!;
}

it('every operation of both forms has a method, or a reason to have none', () => {
  const reported = new Set([...listOperations('A').keys(), ...listOperations('B').keys()]);
  expect([...Object.keys(methods), ...Object.keys(leftOut)].sort()).toEqual([...reported].sort());
});

describe.each(['A', 'B'] as const)('in form %s', (form) => {
  const operations = [...listOperations(form)].filter(([id]) => id in methods);

  it.each(operations)('%s sends the request of the document', async (id, { method, path, operation }) => {
    const sent = await recordRequest(methods[id]!);
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, 'x')}$`);
    expect([sent.method, sent.path]).toEqual([method, expect.stringMatching(pattern)]);
    const key = operation.security.some((one) => 'operatorKey' in one) ? 'an-operator-s' : 'an-account-s';
    const needsKey = operation.security.length > 0;
    if (needsKey) expect(sent.headers.get('authorization')).toBe(`Bearer ${key}`);
    if (id === 'getFile' || id === 'register') expect(sent.headers.get('authorization')).toBeNull();
    const takesIdempotencyKey = operation.parameters?.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key')) ?? false;
    expect(sent.headers.has('idempotency-key')).toBe(takesIdempotencyKey);
    if (operation.requestBody?.required) expect(sent.headers.get('content-type')).toBe('application/json');
    if (!operation.requestBody) expect(sent.body).toBeUndefined();
  });
});
