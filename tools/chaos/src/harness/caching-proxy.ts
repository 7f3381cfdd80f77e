import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findOwnPort } from '@capture/testing/network/own-port';
import { findOrInstallProgram } from '@capture/testing/processes/find-program';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';

/** Starts nginx in front of a gateway, as docs/links.md configures it. The header `X-Cache` shows cache hits. */
export async function startCachingProxy(gatewayUrl: string): Promise<{ url: string; close(): Promise<unknown> }> {
  const nginx = await findOrInstallProgram('nginx', 'nginx-light', '-v');
  const folder = makeTestFolder('nginx');
  const port = await findOwnPort();
  for (const part of ['cache', 'temporary']) mkdirSync(path.join(folder, part));
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port, gatewayUrl));
  const server = startProcess({ name: 'nginx', command: nginx, args: ['-p', folder, '-c', file, '-e', 'stderr'] });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(
    () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    { what: `nginx to respond: ${server.output()}` },
  );
  return { url, close: () => server.stop() };
}

function configuration(folder: string, port: number, gatewayUrl: string): string {
  const docs = readFileSync(path.join(repositoryRoot, 'docs', 'links.md'), 'utf8');
  const documented = /```nginx\n(proxy_cache_path[^;]*;)\n([\s\S]*?)```/.exec(docs);
  if (!documented) throw new Error('docs/links.md has no configuration of nginx');
  const [, cachePath = '', location = ''] = documented;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temporary/${name};`,
  );
  return `daemon off;
pid ${folder}/nginx.pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  ${cachePath.replace('/var/cache/captures', `${folder}/cache`)}
  server {
    listen 127.0.0.1:${port};
    add_header X-Cache $upstream_cache_status always;
    location = / { return 200; }
    ${location.replace('http://127.0.0.1:3000', gatewayUrl)}
  }
}
`;
}
