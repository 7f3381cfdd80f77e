import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type OwnEndpoint, parseAddressRules } from '@capture/egress/address-rules';
import { announceListening } from '@capture/egress/listening-ports';
import { readConfig } from '@capture/runtime/config';
import { createMetrics } from '@capture/runtime/metrics/metrics';
import { openProcessListener } from '@capture/runtime/service/process-listener';
import { runService } from '@capture/runtime/service/service';
import { serviceSettings } from '@capture/runtime/service-settings';
import { ControlServer } from './control-server.ts';
import { createEgressMetrics } from './egress-metrics.ts';

/** Captures in progress have this long to end when the service stops, milliseconds. */
const drainMs = 18_000;

runService({
  name: 'egress-proxy',
  async start({ log, lifecycle }) {
    const config = readConfig(serviceSettings['egress-proxy'], process.env);
    const { EGRESS_ALLOW: allow, EGRESS_DENY: deny, EGRESS_PROXY_HOST: host } = config;
    const metrics = createMetrics('egress-proxy');
    const listener = await openProcessListener(config, { metrics, needs: {}, lifecycle, log });
    if (listener) announceListening(listener.port);
    const rulesWith = (own: readonly OwnEndpoint[]) => parseAddressRules({ allow, deny, own });
    // This reports faults in the rules at the start instead of at the first capture.
    rulesWith([]);
    const onClosed = createEgressMetrics(metrics, () => control.openCaptures);
    const control = new ControlServer({ token: config.EGRESS_PROXY_TOKEN, listenOn: host, rulesWith, onClosed, log });
    control.server.listen(config.EGRESS_PROXY_PORT, host);
    lifecycle.closing('control server', () => {
      control.server.close();
      control.server.closeAllConnections();
    });
    await once(control.server, 'listening');
    const { port } = control.server.address() as AddressInfo;
    announceListening(port);
    lifecycle.closing('captures', () => control.drain(drainMs));
    listener?.ready();
    log.info({ host, port }, 'carrying captures');
  },
});
