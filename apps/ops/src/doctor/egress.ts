import { checkAddress, parseAddressRules } from '@capture/egress/address-rules';
import { type Finding, fault, group, ok, warning } from './check.ts';

/** One address of each network that captured pages must not reach. */
const closedAddresses: readonly { address: string; name: string }[] = [
  { address: '169.254.169.254', name: "the cloud's metadata service" },
  { address: '127.0.0.1', name: 'this machine' },
  { address: '::1', name: 'this machine (IPv6)' },
  { address: '10.0.0.1', name: '10.0.0.0/8' },
  { address: '172.16.0.1', name: '172.16.0.0/12' },
  { address: '192.168.0.1', name: '192.168.0.0/16' },
  { address: 'fd00::1', name: 'private IPv6 networks' },
];

/** A port that no rule names deliberately, so it is open only if a rule opens all ports. */
const unusedPort = 9;

export const egress = group<Record<string, string | undefined>>({
  name: 'egress',
  open: ({ env }) => env,
  checks: [
    {
      name: 'allow',
      about: 'EGRESS_ALLOW opens no more networks to captures and webhooks than needed',
      run: ({ EGRESS_ALLOW: allow = '', EGRESS_DENY: deny = '' }): Finding => {
        let open: string[];
        try {
          const rules = parseAddressRules({ allow, deny });
          open = closedAddresses
            .filter(({ address }) => checkAddress(rules, address, unusedPort) === 'allowed')
            .map(({ name }) => name);
        } catch (error) {
          return fault((error as Error).message, 'correct it: no process starts with it');
        }
        if (open.length === 0)
          return ok(allow ? 'opens single ports or narrow networks only' : 'not set in this shell');
        const message = `any page can reach every port of ${open.join(', ')}`;
        return warning(message, 'list single addresses and ports, such as 10.1.2.3/32:8080: docs/egress.md');
      },
    },
  ],
});
