import { state } from './state/page-state.ts';

/** The functions of this world that the consent library calls, or adds. */
interface LibraryWorld {
  autoconsentSendMessage?: (message: unknown) => Promise<void>;
  autoconsentReceiveMessage?: (message: object) => Promise<void>;
}

const library = globalThis as LibraryWorld;

/** Queues the messages of the consent library until `nextConsentMessages` fetches them, so that the page sees none of them. */
export function prepareConsent(): null {
  const queue = { messages: [] as unknown[], wake: () => {} };
  state.consentMessages = queue;
  library.autoconsentSendMessage = async (message) => {
    // Copied, because the library changes its messages after sending them.
    queue.messages.push(JSON.parse(JSON.stringify(message)));
    queue.wake();
  };
  return null;
}

/** Resolves with the next messages of the library, up to a hundred. */
export function nextConsentMessages(): Promise<unknown[]> {
  const queue = state.consentMessages;
  if (!queue) return Promise.resolve([]);
  const next = async () => {
    if (queue.messages.length === 0) {
      await new Promise<void>((resolve) => {
        queue.wake = resolve;
      });
    }
    return queue.messages.splice(0, 100);
  };
  // Referenced here, because a pending evaluation alone does not keep the promise from garbage collection.
  queue.next = next();
  return queue.next;
}

/** Gives a message to the library. */
export async function sendToConsent(message: object): Promise<null> {
  await library.autoconsentReceiveMessage?.(message);
  return null;
}
