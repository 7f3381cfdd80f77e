import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { SocksClient } from 'socks';

/** The proxy refused to connect. */
export class ProxyRefusal extends Error {
  /** The name that the `socks` package gives the reply code of RFC 1928; empty if the connection closed without one. */
  readonly reply: string;

  constructor(cause: unknown) {
    super('no connection through the proxy', { cause });
    this.reply = /Socks5 proxy rejected connection - (\w+)/.exec(String(cause))?.[1] ?? '';
  }
}

/**
 * Connects to a target through a SOCKS 5 proxy, as a browser does.
 *
 * @param proxyUrl `socks5://<host>:<port>`
 * @param authority `<host>:<port>`
 * @param from the source address that the proxy sees.
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
 * Requests a page through a SOCKS 5 proxy, over a new connection.
 *
 * @throws {ProxyRefusal} or the error of a connection that ends without a response.
 */
export async function getByProxy(proxyUrl: string, url: string, from?: string): Promise<IncomingMessage> {
  const { hostname, host, port, pathname } = new URL(url);
  const socket = await connectByProxy(proxyUrl, `${hostname}:${port || 80}`, from);
  const request = http.get({ createConnection: () => socket, path: pathname, headers: { host } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}
