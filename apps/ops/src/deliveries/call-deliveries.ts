import type { Platform } from '../find-platform.ts';
import { callOperatorApi, isNotFound, OperatorApiError } from '../operator-api.ts';

/** @param path the path below `/deliveries`. @throws {OperatorApiError} that says so if form A keeps no deliveries. */
export async function callDeliveries<Body>(
  platform: Platform,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Body> {
  try {
    return await callOperatorApi(platform, method, `/deliveries${path}`, body);
  } catch (error) {
    if (!isNotFound(error) || (await keepsDeliveries(platform))) throw error;
    const message = 'API profile A keeps no deliveries: they are only in the log of the dispatcher';
    throw new OperatorApiError(message, { cause: error });
  }
}

async function keepsDeliveries(platform: Platform): Promise<boolean> {
  try {
    await callOperatorApi(platform, 'GET', '/deliveries?limit=1');
    return true;
  } catch (error) {
    return !isNotFound(error);
  }
}
