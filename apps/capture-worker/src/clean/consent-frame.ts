import type { CDPSession } from 'puppeteer';
import { prepareConsentWorld, showsConsent } from './clean-scripts.ts';
import {
  type ConsentMessage,
  type ConsentScript,
  consentConfig,
  readMessages,
  rulesFor,
  snippetSource,
} from './consent-script.ts';

/** A world of its own beside the one that pictures are made with: what the script does there concerns nobody else. */
const worldName = 'consent';

/** What a rule runs among the page's scripts is one call; a page that answers it with an endless loop is cut off. */
const snippetWithinMs = 300;

/** A frame where a rule found something says some 30 messages. */
const messagesAtMost = 500;

/** A frame that the consent script runs in. */
export interface ConsentFrame {
  session: CDPSession;
  frameId: string;
  url: string;
  /** The page itself, and not a frame in it. */
  isPage: boolean;
  /** It is what calls of its session are for unless they say otherwise: only there scripts of the page can be reached. */
  ownsSession: boolean;
}

/** How far the script has come in one frame. */
export interface FrameProgress {
  /** The rule that recognised something. */
  cmp: string | null;
  /** The rule whose banner was seen. */
  popup: string | null;
  /** What came of it; null while nothing has. */
  outcome: 'opted_out' | 'hidden' | 'failed' | null;
  /** Nothing more will come. */
  ended: boolean;
}

/**
 * Runs the consent script in a frame, and answers it until it has come to an end. Rejects when the frame goes away.
 *
 * @param onProgress called with each change.
 */
export async function runConsentScript(
  frame: ConsentFrame,
  script: ConsentScript,
  onProgress: (progress: FrameProgress) => void,
): Promise<void> {
  const evaluate = await makeWorld(frame);
  const isLikely = (await evaluate(`(${showsConsent})()`)) === true;
  await evaluate(`(${prepareConsentWorld})(); ${script.source}; null`);
  const progress: FrameProgress = { cmp: null, popup: null, outcome: null, ended: false };
  const say = (message: object) => evaluate(`autoconsentReceiveMessage(${JSON.stringify(message)}).then(() => null)`);

  for (let heard = 0; heard < messagesAtMost && !progress.ended; ) {
    const messages = readMessages(await evaluate('nextConsentMessages()'));
    heard += Math.max(1, messages.length);
    for (const message of messages) {
      if (message.type === 'init') {
        const rules = { autoconsent: [], compact: rulesFor(script, { url: frame.url, mainFrame: frame.isPage }) };
        // The second look, half a second later, is for a page where a banner may yet come up, or one that no rule knows.
        const config = { ...consentConfig, detectRetries: isLikely && frame.isPage ? 1 : 0 };
        await say({ type: 'initResp', config, rules });
      } else if (message.type === 'eval') {
        // Without waiting: the frame has more to tell meanwhile.
        runSnippet(frame, message.snippetId)
          .then((result) => say({ type: 'evalResp', id: message.id, result }))
          .catch(() => undefined);
      } else {
        note(progress, message);
        onProgress({ ...progress });
      }
    }
  }
}

/** The states that the script rests in. */
const ends = ['nothingDetected', 'done', 'optOutSucceeded', 'optOutFailed'];

function note(progress: FrameProgress, message: Exclude<ConsentMessage, { type: 'init' | 'eval' }>): void {
  switch (message.type) {
    case 'cmpDetected':
      progress.cmp ??= message.cmp;
      break;
    case 'popupFound':
      progress.popup ??= message.cmp;
      break;
    case 'optOutResult':
      progress.cmp = message.cmp;
      if (!message.result) progress.outcome = 'failed';
      break;
    case 'autoconsentDone':
      progress.outcome = message.isCosmetic ? 'hidden' : 'opted_out';
      break;
    case 'report':
      progress.ended = ends.includes(message.state.lifecycle);
  }
}

type Evaluate = (expression: string) => Promise<unknown>;

async function makeWorld({ session, frameId }: ConsentFrame): Promise<Evaluate> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName });
  return async (expression) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      contextId: executionContextId,
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(`the consent script failed: ${exceptionDetails.text}`);
    return result.value;
  };
}

/** Runs one of the library's snippets among the page's scripts: it learns and does no more than they could themselves. */
async function runSnippet({ session, ownsSession }: ConsentFrame, id: string): Promise<boolean> {
  const expression = snippetSource(id);
  if (expression === null || !ownsSession) return false;
  const { result } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
    userGesture: false,
    timeout: snippetWithinMs,
  });
  return result.value === true;
}
