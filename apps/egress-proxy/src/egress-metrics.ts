import type { EgressCounts } from '@capture/egress/egress-record';
import { Counter, Gauge, type Registry } from '@capture/runtime/metrics/metrics';

/**
 * Counts what goes through the proxies of captures.
 *
 * @param open how many of them are open.
 * @returns to be told what one has carried, when it is closed.
 */
export function createEgressMetrics(registry: Registry, open: () => number): (counts: EgressCounts) => void {
  const registers = [registry];
  const proxies = new Gauge({
    name: 'capture_egress_open_proxies',
    help: 'Proxies that are open: one for each page, those that are kept ready among them.',
    registers,
    collect() {
      proxies.set(open());
    },
  });
  const connections = new Counter({
    name: 'capture_egress_connections_total',
    help: 'Connections that pages asked for, by whether the address rules let them through.',
    labelNames: ['decision'],
    registers,
  });
  const bytes = new Counter({
    name: 'capture_egress_bytes_total',
    help: 'Bytes from the targets (in) and to them (out), on the wire.',
    labelNames: ['direction'],
    registers,
  });
  return (counts) => {
    connections.inc({ decision: 'passed' }, Math.max(0, counts.connections - counts.blocked));
    connections.inc({ decision: 'refused' }, counts.blocked);
    bytes.inc({ direction: 'in' }, counts.bytesIn);
    bytes.inc({ direction: 'out' }, counts.bytesOut);
  };
}
