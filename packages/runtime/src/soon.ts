import { setTimeout as delay } from 'node:timers/promises';

/** What `ask` gives, or `instead` if it fails or takes longer than `withinMs` milliseconds. */
export async function soon<Answer, Instead>(
  ask: () => Answer | Promise<Answer>,
  withinMs: number,
  instead: Instead,
): Promise<Answer | Instead> {
  const answered = new AbortController();
  const asking = Promise.resolve()
    .then(ask)
    .catch(() => instead);
  const late = delay(withinMs, instead, { signal: answered.signal }).catch(() => instead);
  const answer = await Promise.race([asking, late]);
  answered.abort();
  return answer;
}
