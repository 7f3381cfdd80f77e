import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { idOf, keyPlaceOf, routesIn } from '@capture/contract/translations/service';
import { repositoryRoot } from '@capture/testing/test-run';
import { describe, expect, it } from '@jest/globals';
import { startSharedGateway } from '../../test-gateway.ts';
import { compatRoutes, services } from './protocols.ts';

const gateway = await startSharedGateway();
const here = path.join(repositoryRoot, 'apps/api-gateway/src/routes/compat');
const contract = path.join(repositoryRoot, 'packages/contract/src/compat');
const foldersIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

it('every vendor is listed, and has a folder of the same name in the contract and in the gateway', () => {
  const ids = services.map(idOf).sort();
  expect(foldersIn(contract).sort()).toEqual(ids);
  expect(foldersIn(here).sort()).toEqual([...ids, 'shared'].sort());
});

describe.each(services)('the folders of $name', (service) => {
  const id = idOf(service);

  it('have its table, protocol, guide and tests', () => {
    const files = [
      ...['table.ts', 'table.test.ts', 'guide.md'].map((name) => path.join(contract, id, name)),
      ...['protocol.ts', 'protocol.test.ts'].map((name) => path.join(here, id, name)),
    ];
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('serve exactly the paths in the description', () => {
    const prefix = `/compat/${id}`;
    const own = compatRoutes(gateway).filter((route) => route.path.startsWith(`${prefix}/`));
    const served = own.map((route) => `${route.method} ${route.path.slice(prefix.length)}`);
    const named = routesIn(service).map(({ method, path: below }) => `${method} ${below}`);
    expect(named.filter((route) => !served.includes(route))).toEqual([]);
    const unnamed = served.filter((route) => !named.includes(route));
    expect(unnamed.filter((route) => !service.notServed?.includes(`\`${route.split(' ')[1]}\``))).toEqual([]);
  });

  it('respond to a request without a key in the service’s form, and name the places of a key', async () => {
    const { method, path: below } = routesIn(service).find((route) => !route.path.includes(':'))!;
    const url = `/compat/${id}${below}`;
    const { text, status, body } = await (method === 'GET' ? gateway.http.get(url) : gateway.http.post(url));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain(keyPlaceOf(service).replaceAll('`', ''));
    expect(body).not.toHaveProperty('details');
  });
});
