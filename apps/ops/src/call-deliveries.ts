import type { Platform } from './find-platform.ts';
import { callOperatorApi, isNotFound, OperatorApiError } from './operator-api.ts';

/** @param path below `/deliveries`. @throws {OperatorApiError} which says so where there are none at all. */
export async function callDeliveries<Answer>(
  platform: Platform,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Answer> {
  try {
    return await callOperatorApi(platform, method, `/deliveries${path}`, body);
  } catch (error) {
    if (!isNotFound(error) || (await keepsDeliveries(platform))) throw error;
    const message =
      'the platform serves form A, which keeps no deliveries: only the log of its dispatcher tells of them';
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
