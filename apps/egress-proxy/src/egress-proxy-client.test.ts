import type { AddressRules } from '@capture/egress/address-rules';
import type { CaptureProxy, CaptureProxyOptions } from '@capture/egress/capture-proxy';
import { testCaptureProxy } from '@capture/egress/capture-proxy-suite';
import { openTestControl } from './control-server.test-support.ts';

const open = async (
  rules: AddressRules,
  { budget = {}, ...terms }: CaptureProxyOptions = {},
): Promise<CaptureProxy> => {
  const service = await openTestControl(() => rules, terms);
  const proxy = await service.connect().open({ budget });
  return {
    url: proxy.url,
    lost: proxy.lost,
    record: () => proxy.record(),
    async close() {
      await proxy.close();
      // The test still reads the proxy's record after closing the proxy, when the service may be gone.
      await service.close();
    },
  };
};

// Each round starts a new service.
testCaptureProxy('of the service', open, { rebindings: 20 });
