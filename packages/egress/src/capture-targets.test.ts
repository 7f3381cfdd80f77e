import { afterEach, expect, it } from '@jest/globals';
import { parseAddressRules } from './address-rules.ts';
import { CaptureTargets } from './capture-targets.ts';
import { shareLookups } from './look-up.ts';
import { hangingPort } from './servers.test-support.ts';

let hanging: Awaited<ReturnType<typeof hangingPort>> | undefined;
afterEach(() => hanging?.close());

/** Far below the 5 s of a look-up and the 10 s of a connection. */
const SOON_MS = 4_000;

it(
  'aborts pending connections when it is closed, and opens no more',
  async () => {
    hanging = await hangingPort();
    const target = { hostname: '127.0.0.1', port: hanging.port };
    const targets = new CaptureTargets(parseAddressRules({ allow: '127.0.0.1' }), {
      resolve: () => new Promise(() => {}),
    });
    const connecting = targets.connect(target);
    const lookingUp = targets.connect({ hostname: 'slow.example', port: 443 });
    targets.close();
    await expect(connecting).rejects.toMatchObject({ reason: 'reset' });
    await expect(lookingUp).rejects.toMatchObject({ reason: 'dns' });
    await expect(targets.connect(target)).rejects.toMatchObject({ reason: 'reset' });
  },
  SOON_MS,
);

it('looks up six dead names at a time, and none after it is closed', async () => {
  const asked: string[] = [];
  const fail: (() => void)[] = [];
  const resolve = shareLookups(
    (name) => {
      asked.push(name);
      return new Promise<never>((_resolve, reject) => fail.push(() => reject(new Error('no response'))));
    },
    { atOnce: 48 },
  );
  const targets = new CaptureTargets(parseAddressRules({}), { resolve });
  const connecting = Array.from({ length: 20 }, (_, index) =>
    targets.connect({ hostname: `${index}.example`, port: 443 }).catch(({ reason }) => reason),
  );
  await new Promise(setImmediate);
  expect(asked).toHaveLength(6);
  targets.close();
  expect(new Set(await Promise.all(connecting))).toEqual(new Set(['dns']));
  for (const end of fail) end();
  await new Promise(setImmediate);
  expect(asked).toHaveLength(6);
});
