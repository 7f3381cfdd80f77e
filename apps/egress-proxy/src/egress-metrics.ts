import type { EgressCounts } from '@capture/egress/egress-record';
import { Counter, Gauge, type Registry } from '@capture/runtime/metrics/metrics';

/**
 * Counts the traffic of captures' proxies.
 *
 * @param open returns the number of open proxies.
 * @returns a function to call with a proxy's counts when it is closed.
 */
export function createEgressMetrics(registry: Registry, open: () => number): (counts: EgressCounts) => void {
  const registers = [registry];
  const proxies = new Gauge({
    name: 'capture_egress_open_proxies',
    help: 'Open proxies: one per page, including the pages that are kept ready.',
    registers,
    collect() {
      proxies.set(open());
    },
  });
  const connections = new Counter({
    name: 'capture_egress_connections_total',
    help: 'Connections that pages requested, by whether the address rules allowed them.',
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
