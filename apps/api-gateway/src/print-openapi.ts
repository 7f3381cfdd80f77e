import { type FormName, forms } from '@capture/contract/forms/forms';
import type { Dependencies } from './create-dependencies.ts';
import { openApiDocument } from './openapi/document.ts';
import { routeTable } from './route-table.ts';

// Prints the OpenAPI document of a form, A or B, with all routes. Building the route table opens no connection.
const form = forms[(process.argv[2] ?? 'B') as FormName];
const links = { publicUrl: 'http://localhost:3000' };
const routes = routeTable({ form, links, mailSender: {} } as Dependencies);
process.stdout.write(`${JSON.stringify(openApiDocument(form, routes, links.publicUrl))}\n`);
