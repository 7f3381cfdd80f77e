// `node prisma/dist/main.js` prepares the database of a deployment before its services start. A second run does nothing.
import { bindContractForm } from './deployment-form.ts';
import { applyMigrations } from './migrate.ts';

const databaseUrl = process.env.DATABASE_URL;
const contractForm = process.env.CONTRACT_FORM || 'B';
if (!databaseUrl) throw new Error('DATABASE_URL is missing');
const applied = await applyMigrations(databaseUrl, { report: (line) => console.log(line) });
console.log(applied.length > 0 ? `applied ${applied.join(', ')}` : 'the database is up to date');
const bound = await bindContractForm(databaseUrl, contractForm);
if (bound !== contractForm) {
  console.error(`The data in this database was created with API profile ${bound}; CONTRACT_FORM is ${contractForm}.`);
  process.exitCode = 1;
}
