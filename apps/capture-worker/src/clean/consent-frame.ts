import type { CDPSession } from 'puppeteer';
import { z } from 'zod';
import { ScriptWorld } from '../page/script-world.ts';
import {
  bannerNamesOf,
  type ConsentMessage,
  type ConsentScript,
  consentConfig,
  readMessages,
  rulesFor,
  snippetSource,
} from './consent-script.ts';

/** A world for the consent library, apart from the world in which pages are prepared. */
const worldName = 'consent';

/** Limit of a rule's snippet in the page's main world: one call, which a hostile page may turn into an endless loop. */
const snippetWithinMs = 300;

/** A frame where a rule found something sends about 30 messages. */
const maxMessages = 500;

/** A frame that the consent script runs in. */
export interface ConsentFrame {
  session: CDPSession;
  frameId: string;
  url: string;
  /** Whether this is the main frame. */
  isPage: boolean;
  /** Whether the session's calls go to this frame by default: only there can snippets run in the page's main world. */
  ownsSession: boolean;
}

/** The script's progress in one frame. */
export interface FrameProgress {
  /** Whether there is a banner with an accept button and nothing else. */
  isAcceptOnly: boolean;
  /** The rule that recognized something. */
  cmp: string | null;
  /** The rule whose banner is visible. */
  popup: string | null;
  /** Whether it clicked, or ran a snippet after it had found the banner: some rules only hide it. */
  acted: boolean;
  /** Null until there is an outcome. */
  outcome: 'opted_out' | 'hidden' | 'failed' | null;
  /** Whether the script has finished. */
  ended: boolean;
}

export const noProgress: FrameProgress = {
  isAcceptOnly: false,
  cmp: null,
  popup: null,
  acted: false,
  outcome: null,
  ended: false,
};

const none = { isLikely: false, isAcceptOnly: false };
const bannerHints = z.object({ isLikely: z.boolean(), isAcceptOnly: z.boolean() }).catch(none);

/**
 * Runs the consent script in a frame and responds to its messages until it ends. Rejects when the frame is removed.
 *
 * @param onProgress called after each change.
 */
export async function runConsentScript(
  frame: ConsentFrame,
  script: ConsentScript,
  onProgress: (progress: FrameProgress) => void,
): Promise<void> {
  const world = consentWorld(frame.session, frame.frameId);
  // Without a sign of a banner, a second detection round is not worth its time.
  const hints = frame.isPage ? await world.call('bannerHints', bannerNamesOf(script)) : null;
  const { isLikely, isAcceptOnly } = bannerHints.parse(hints);
  await world.call('prepareConsent', null);
  await world.evaluate(`${script.source}; null`);
  let progress: FrameProgress = { ...noProgress, isAcceptOnly };
  onProgress(progress);
  const send = (message: object) => world.call('sendToConsent', message);

  for (let received = 0; received < maxMessages && !progress.ended; ) {
    const messages = readMessages(await world.call('nextConsentMessages', null));
    received += Math.max(1, messages.length);
    for (const message of messages) {
      if (message.type === 'init') {
        const rules = { autoconsent: [], compact: rulesFor(script, { url: frame.url, mainFrame: frame.isPage }) };
        // A second detection round 500 ms later looks for the reject button of a banner that no rule knows.
        const config = { ...consentConfig, detectRetries: isLikely && !isAcceptOnly ? 1 : 0 };
        await send({ type: 'initResp', config, rules });
      } else if (message.type === 'eval') {
        if (progress.popup !== null) progress = { ...progress, acted: true };
        // Not awaited: the frame sends more messages meanwhile.
        runSnippet(frame, message.snippetId)
          .then((result) => send({ type: 'evalResp', id: message.id, result }))
          .catch(() => undefined);
      } else {
        progress = advance(progress, message);
        onProgress(progress);
      }
    }
  }
}

/** The states in which the script has finished. */
const finalStates = ['nothingDetected', 'done', 'optOutSucceeded', 'optOutFailed'];

function advance(progress: FrameProgress, message: Exclude<ConsentMessage, { type: 'init' | 'eval' }>): FrameProgress {
  switch (message.type) {
    case 'cmpDetected':
      return { ...progress, cmp: progress.cmp ?? message.cmp };
    case 'popupFound':
      return { ...progress, popup: progress.popup ?? message.cmp };
    case 'optOutResult':
      return { ...progress, cmp: message.cmp, outcome: message.result ? progress.outcome : 'failed' };
    case 'autoconsentDone':
      return { ...progress, outcome: message.isCosmetic || !progress.acted ? 'hidden' : 'opted_out' };
    case 'report':
      return {
        ...progress,
        acted: progress.acted || message.state.clicks > 0,
        ended: finalStates.includes(message.state.lifecycle),
      };
  }
}

/** The world of the consent library in a frame. */
export function consentWorld(session: CDPSession, frameId: string): ScriptWorld {
  return new ScriptWorld(session, frameId, worldName);
}

/** Runs one of the library's snippets in the page's main world, where it can do no more than the page's own scripts. */
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
