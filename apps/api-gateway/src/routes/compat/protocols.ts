import type { Protocol } from '../../http/protocol.ts';
import type { Route } from '../../http/route.ts';
import { apiFlashProtocol, apiFlashRoutes } from './apiflash/protocol.ts';
import { browserlessProtocol, browserlessRoutes } from './browserless/protocol.ts';
import { gotenbergProtocol, gotenbergRoutes } from './gotenberg/protocol.ts';
import { screenshotOneProtocol, screenshotOneRoutes } from './screenshotone/protocol.ts';
import type { CompatDependencies } from './shared/take-translated.ts';
import { urlboxProtocol, urlboxRoutes } from './urlbox/protocol.ts';

/** The services whose clients find here what they expect. */
export const protocols: readonly Protocol[] = [
  screenshotOneProtocol,
  gotenbergProtocol,
  browserlessProtocol,
  apiFlashProtocol,
  urlboxProtocol,
];

export function compatRoutes(dependencies: CompatDependencies): Route[] {
  return [
    ...screenshotOneRoutes(dependencies),
    ...gotenbergRoutes(dependencies),
    ...browserlessRoutes(dependencies),
    ...apiFlashRoutes(dependencies),
    ...urlboxRoutes(dependencies),
  ];
}
