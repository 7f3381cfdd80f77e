import { ApiError, type ErrorCode } from '@capture/contract/errors';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ApiFailure, type TextPart } from './call-api.ts';
import { imageParts } from './image-parts.ts';

export function jsonResult(value: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value, null, 1) }] };
}

/** Shows the text from `offset` on, as far as a part reaches, and says how to get the rest. */
export function textResult(
  { text, total }: TextPart,
  facts: object,
  { id, output, offset, partLength }: { id: string; output?: string | undefined; offset: number; partLength: number },
): CallToolResult {
  const named = output === undefined ? '' : `, output: "${output}"`;
  if (offset > 0 && offset >= total) {
    return jsonResult({ ...facts, note: `There is nothing from character ${offset} on: the text has ${total}.` });
  }
  const length = endOfPart(text, partLength);
  const end = offset + length;
  const rest =
    end < total
      ? {
          note: `These are the characters ${offset} to ${end} of ${total}. For the rest, call read_page with request_id: "${id}"${named} and offset: ${end}.`,
        }
      : {};
  return { content: [{ type: 'text', text: text.slice(0, length) }, ...jsonResult({ ...facts, ...rest }).content] };
}

/** Returns the end of the last line before a character, if the line ends near it. */
function endOfPart(text: string, most: number): number {
  if (most >= text.length) return text.length;
  const line = text.lastIndexOf('\n', most);
  return line > most - 2_000 ? line + 1 : most;
}

/** Shows a PNG in parts that a model can read, with its facts. */
export async function imageResult(bytes: Buffer, facts: object): Promise<CallToolResult> {
  const { parts, width, height, shownHeight } = await imageParts(bytes);
  const rest =
    shownHeight < height
      ? { note: `The images show the first ${shownHeight} of ${height} pixels. For the rest, use clip or selector.` }
      : {};
  const images = parts.map((part) => ({
    type: 'image' as const,
    data: part.toString('base64'),
    mimeType: 'image/webp',
  }));
  return { content: [...images, ...jsonResult({ ...facts, width, height, ...rest }).content] };
}

/** What an agent can do about an error whose message does not say it. */
const advice: Partial<Record<ErrorCode, string>> = {
  URL_UNREACHABLE: 'Check the address. Do not repeat the call unless the site may be down for a moment.',
  NAVIGATION_FAILED: 'Check the address. If the page was cut off, repeat the call once.',
  URL_BLOCKED: 'Do not repeat the call: at most the operator of the platform can allow this address.',
  HTTP_STATUS: 'The page responds with an error. Look for another address.',
  SELECTOR_NOT_FOUND:
    'Repeat the call without the selector that the message names, look at the page, and choose another selector.',
  PAGE_TOO_LARGE: 'Leave out full_page, or capture a part with selector or clip.',
  // Clients end a call after 60 s, unless reports of progress keep them waiting; a model cannot know whether they do.
  CAPTURE_TIMEOUT:
    'Repeat the call once with timeout_ms: 50000, or with wait_until: "load". If that is too short, use capture_batch with timeout_ms: 120000 in options, and get_batch: they do not wait.',
  RENDERING_FAILED: 'Repeat the call once.',
  QUOTA_EXCEEDED: 'Do not repeat the call: the monthly quota does not allow it. Inform the user.',
  NOT_FOUND: 'Use an ID that an earlier call returned.',
};

/** Shows an error as a result: the model reads it and decides what to do next. */
export function errorResult(error: unknown): CallToolResult {
  if (error instanceof WrongCall) return wrongCall(error.message);
  if (!(error instanceof ApiFailure || error instanceof ApiError)) throw error;
  const { code, message, retryAfterS } = error;
  const next = (retryAfterS ?? null) === null ? advice[code] : `Repeat the call after ${retryAfterS} s.`;
  return {
    isError: true,
    content: [{ type: 'text', text: [`${message} (${code})`, next].filter(Boolean).join('\n') }],
  };
}

/** A call that is wrong before it sends a request. */
export class WrongCall extends Error {
  override name = 'WrongCall';
}

/** Shows the message of a wrong call as a result. */
export function wrongCall(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: message }] };
}

/** Runs a tool; an error of the API becomes its result. */
export async function resultOf(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return errorResult(error);
  }
}
