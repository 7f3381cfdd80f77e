import { once } from 'node:events';
import { type AddressInfo, isIP } from 'node:net';
import { type OwnEndpoint, parseAddressRules } from '@capture/egress/address-rules';
import { readConfig } from '@capture/runtime/config';
import { createMetrics } from '@capture/runtime/metrics/metrics';
import { listenerSettings, openProcessListener } from '@capture/runtime/process-listener';
import { runService } from '@capture/runtime/service';
import { integer, settings } from '@capture/runtime/settings';
import { z } from 'zod';
import { ControlServer } from './control-server.ts';
import { createEgressMetrics } from './egress-metrics.ts';

/** Captures that are under way when the service is stopped have this long to end. */
const drainMs = 18_000;

runService({
  name: 'egress-proxy',
  async start({ log, lifecycle }) {
    const config = readConfig(
      {
        EGRESS_ALLOW: settings.EGRESS_ALLOW,
        EGRESS_DENY: settings.EGRESS_DENY,
        EGRESS_PROXY_TOKEN: settings.EGRESS_PROXY_TOKEN,
        // On a network of containers: 0.0.0.0, since only the workers are in it.
        EGRESS_PROXY_HOST: z.string().refine(isIP, 'must be an IP address').default('127.0.0.1'),
        EGRESS_PROXY_PORT: integer(0, 65_535).default(3001),
        ...listenerSettings,
      },
      process.env,
    );
    const { EGRESS_ALLOW: allow, EGRESS_DENY: deny, EGRESS_PROXY_HOST: host } = config;
    const metrics = createMetrics('egress-proxy');
    const listener = await openProcessListener(config, { metrics, needs: {}, lifecycle, log });
    const ownPorts = [{ port: config.EGRESS_PROXY_PORT }, ...(listener ? [{ port: listener.port }] : [])];
    const rulesWith = (own: readonly OwnEndpoint[]) => parseAddressRules({ allow, deny, own: [...ownPorts, ...own] });
    // Faults in the rules are told now, not by the first capture.
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
    lifecycle.closing('captures', () => control.drain(drainMs));
    listener?.ready();
    log.info({ host, port }, 'carrying captures');
  },
});
