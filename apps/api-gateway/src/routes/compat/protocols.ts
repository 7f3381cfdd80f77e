import type { Route } from '../../http/route.ts';
import { apiFlash } from './apiflash/protocol.ts';
import { browserless } from './browserless/protocol.ts';
import { gotenberg } from './gotenberg/protocol.ts';
import { screenshotOne } from './screenshotone/protocol.ts';
import type { CompatDependencies } from './shared/take-translated.ts';
import { protocolOf, routesOf } from './shared/vendor.ts';
import { urlbox } from './urlbox/protocol.ts';

/** The services with a compatible endpoint. Each has a folder here and in `packages/contract/src/compat`. */
const vendors = [apiFlash, browserless, gotenberg, screenshotOne, urlbox].map((vendor) => ({
  vendor,
  protocol: protocolOf(vendor),
}));

export const services = vendors.map(({ vendor }) => vendor.service);

export const protocols = vendors.map(({ protocol }) => protocol);

export function compatRoutes(dependencies: CompatDependencies): Route[] {
  return vendors.flatMap(({ vendor, protocol }) => routesOf(vendor, protocol, dependencies));
}
