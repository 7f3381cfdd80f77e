import type { ContractForm } from '@capture/contract/forms/forms';
import type { Cookie } from '@capture/contract/options/secret-options';
import { type Protocol, ProtocolError } from 'puppeteer';
import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';

const callWithinMs = 10_000;

/**
 * Sets cookies in the page's browser context, before anything is loaded.
 *
 * @throws {CaptureFailure} for a cookie that browsers reject, such as a `__Host-` cookie with a domain.
 */
export async function setCookies(
  page: CapturePage,
  { url, cookies = [] }: { url: string; cookies?: readonly Cookie[] | undefined },
  { form, deadline }: { form: ContractForm; deadline: Deadline },
): Promise<void> {
  const setting = cookies.map(async (cookie, index) => {
    try {
      await page.session.send('Network.setCookie', forBrowser(cookie, url));
    } catch (error) {
      if (!(error instanceof ProtocolError) || !/cookie/i.test(error.message)) throw error;
      const { unreachable: code, unreachableMessage } = form.errors;
      // The index identifies the cookie without revealing its name.
      throw new CaptureFailure(code, unreachableMessage(`browsers reject the cookie at cookies.${index}`));
    }
  });
  await page.step('setting cookies', callWithinMs, deadline, Promise.all(setting));
}

/** Without a domain, a cookie is for the URL's host only. A secure cookie is for that host over https. */
function forBrowser(cookie: Cookie, url: string): Protocol.Network.SetCookieRequest {
  const { name, value, domain, path = '/', secure = false, http_only: httpOnly = false, same_site: sameSite } = cookie;
  const target = new URL(url);
  if (secure) target.protocol = 'https:';
  return {
    name,
    value,
    path,
    secure,
    httpOnly,
    ...(domain === undefined ? { url: target.href } : { domain }),
    ...(sameSite !== undefined && { sameSite }),
  };
}
