import { platformVersion } from '@capture/runtime/platform-version';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { addBatchTools } from './batch-tools.ts';
import type { Api } from './call-api.ts';
import { addCaptureTools } from './capture-tools.ts';
import { addCapturesResource } from './captures-resource.ts';
import type { TakeCapture } from './take-capture.ts';

const instructions = `Takes screenshots, PDFs and social-preview images of web pages with a real browser.
Use take_screenshot to see a page. check_it in a result says why the image may not show the page: blank, incomplete, a challenge, a login wall, an error page.
Links in file_url need no key and expire at expires_at: pass them on to the user.
For an image, a PDF and the text of the same moment, ask one call for outputs: it costs no more.
Every capture costs one unit of the account's quota; failed ones cost nothing. For more than three pages use capture_batch.`;

/** Creates the tools and resources for one request of an agent's client (Model Context Protocol). */
export function createMcpServer(api: Api, takeCapture: TakeCapture): McpServer {
  const server = new McpServer(
    { name: 'capture-platform', title: 'Capture platform', version: platformVersion },
    { instructions },
  );
  addCaptureTools(server, api, takeCapture);
  addBatchTools(server, api);
  addCapturesResource(server, api);
  return server;
}
