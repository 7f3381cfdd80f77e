import { once } from 'node:events';
import { type AddressInfo, isIP } from 'node:net';
import { type OwnEndpoint, parseAddressRules } from '@capture/egress/address-rules';
import { readConfig } from '@capture/runtime/config';
import { runService } from '@capture/runtime/service';
import { integer, settings } from '@capture/runtime/settings';
import { z } from 'zod';
import { ControlServer } from './control-server.ts';

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
      },
      process.env,
    );
    const { EGRESS_ALLOW: allow, EGRESS_DENY: deny, EGRESS_PROXY_HOST: host } = config;
    const rulesWith = (own: readonly OwnEndpoint[]) =>
      parseAddressRules({ allow, deny, own: [{ port: config.EGRESS_PROXY_PORT }, ...own] });
    // Faults in the rules are told now, not by the first capture.
    rulesWith([]);
    const control = new ControlServer({ token: config.EGRESS_PROXY_TOKEN, listenOn: host, rulesWith, log });
    control.server.listen(config.EGRESS_PROXY_PORT, host);
    lifecycle.closing('control server', () => {
      control.server.close();
      control.server.closeAllConnections();
    });
    await once(control.server, 'listening');
    const { port } = control.server.address() as AddressInfo;
    lifecycle.closing('captures', () => control.drain(drainMs));
    log.info({ host, port }, 'carrying captures');
  },
});
