import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { SocksClient } from 'socks';

/** What a browser's proxy says instead of connecting. */
export class ProxyRefusal extends Error {
  /** As the `socks` package calls the numbers of RFC 1928; empty where the connection just ended. */
  readonly reply: string;

  constructor(cause: unknown) {
    super('no connection by way of the proxy', { cause });
    this.reply = /Socks5 proxy rejected connection - (\w+)/.exec(String(cause))?.[1] ?? '';
  }
}

/**
 * Connects to a target by way of a proxy that speaks SOCKS 5, as a browser does.
 *
 * @param proxyUrl `socks5://<host>:<port>`
 * @param authority `<host>:<port>`
 * @param from the address of this machine that the proxy sees.
 * @throws {ProxyRefusal}
 */
export async function connectByProxy(proxyUrl: string, authority: string, from = '127.0.0.1'): Promise<Socket> {
  const { hostname, port } = new URL(proxyUrl);
  const [, target = '', targetPort] = /^(.*):(\d+)$/.exec(authority) ?? [];
  const host = target.replace(/^\[(.*)\]$/, '$1');
  const toProxy = connect({ host: hostname, port: Number(port), localAddress: from, noDelay: true });
  try {
    await once(toProxy, 'connect');
    const { socket } = await SocksClient.createConnection({
      existing_socket: toProxy,
      proxy: { host: hostname, port: Number(port), type: 5 },
      command: 'connect',
      destination: { host, port: Number(targetPort) },
    });
    return socket.on('error', () => {});
  } catch (error) {
    toProxy.destroy();
    throw new ProxyRefusal(error);
  }
}

/**
 * Asks for a page over a connection of its own by way of such a proxy.
 *
 * @throws {ProxyRefusal} and where no answer comes.
 */
export async function getByProxy(proxyUrl: string, url: string, from?: string): Promise<IncomingMessage> {
  const { hostname, host, port, pathname } = new URL(url);
  const socket = await connectByProxy(proxyUrl, `${hostname}:${port || 80}`, from);
  const request = http.get({ createConnection: () => socket, path: pathname, headers: { host } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}
