import { type FormName, forms } from '@capture/contract/forms/forms';
import type { Dependencies } from '../dependencies.ts';
import { routeTable } from '../route-table.ts';
import { openApiDocument } from './document.ts';

// Prints the OpenAPI document of a form, A or B, for what is generated from it. Routes open nothing until they are asked.
const form = forms[(process.argv[2] ?? 'B') as FormName];
const links = { publicUrl: 'http://localhost:3000' };
const routes = routeTable({ form, links } as Dependencies);
process.stdout.write(`${JSON.stringify(openApiDocument(form, routes, links.publicUrl))}\n`);
