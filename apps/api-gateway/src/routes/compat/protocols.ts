import type { Protocol } from '../../http/protocol.ts';
import type { Route } from '../../http/route.ts';
import { apiFlashProtocol, apiFlashRoutes } from './apiflash.ts';
import { browserlessProtocol, browserlessRoutes } from './browserless.ts';
import { gotenbergProtocol, gotenbergRoutes } from './gotenberg.ts';
import { screenshotOneProtocol, screenshotOneRoutes } from './screenshotone.ts';
import type { CompatDependencies } from './take-translated.ts';
import { urlboxProtocol, urlboxRoutes } from './urlbox.ts';

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
