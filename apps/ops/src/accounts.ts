import type { Command } from 'commander';
import { confirm } from './confirm.ts';
import type { Surroundings } from './environment.ts';
import { withExamples } from './examples.ts';
import { exitCodes } from './exit-codes.ts';
import type { Platform } from './find-platform.ts';
import { parseCount } from './moment.ts';
import { callOperatorApi, OperatorApiError } from './operator-api.ts';

interface Account {
  id: string;
  email: string;
  plan: string;
  status: string;
  created_at: string;
  used: number;
}

interface AccountPage {
  accounts: Account[];
  next_cursor: string | null;
}

export function addAccountCommands(program: Command, { platform, printer }: Surroundings): void {
  const accounts = program.command('accounts').description('list and change accounts');
  withExamples(accounts, ['accounts list', 'accounts set-plan ada@example.com pro']);

  withExamples(accounts.command('list'), ['accounts list --limit 20', '--json accounts list --email ada@example.com'])
    .description('list accounts, newest first')
    .option('--email <address>', 'only the account with this email address')
    .option('--limit <rows>', 'maximum number of rows', parseCount, 100)
    .action(async (options: { email?: string; limit: number }) => {
      const rows = await listAccounts(platform(), options.email, options.limit);
      printer().rows(rows, ['id', 'email', 'plan', 'status', 'used', 'created_at']);
    });

  withExamples(accounts.command('set-plan'), ['accounts set-plan ada@example.com pro'])
    .description('change the plan of an account; effective from its next request')
    .argument('<account>', 'its ID or email address')
    .argument('<plan>', 'the plan, such as starter or pro')
    .action(async (account: string, plan: string) => {
      const changed = await change(platform(), account, { plan });
      printer().fact(`${changed.email} is on the plan ${changed.plan}`, changed);
    });

  withExamples(accounts.command('suspend'), ['accounts suspend ada@example.com'])
    .description("refuse an account's keys until it is activated again")
    .argument('<account>', 'its ID or email address')
    .action(async (account: string) => {
      const changed = await change(platform(), account, { status: 'suspended' });
      printer().fact(`${changed.email} is suspended`, changed);
    });

  withExamples(accounts.command('activate').alias('resume'), ['accounts activate ada@example.com'])
    .description("accept a suspended account's keys again")
    .argument('<account>', 'its ID or email address')
    .action(async (account: string) => {
      const changed = await change(platform(), account, { status: 'active' });
      printer().fact(`${changed.email} is active`, changed);
    });

  withExamples(accounts.command('issue-key'), ['accounts issue-key ada@example.com'])
    .description('issue a further API key, shown once; the other keys keep working')
    .argument('<account>', 'its ID or email address')
    .action(async (account: string) => {
      const id = await findId(platform(), account);
      const key = await callOperatorApi<{ apiKey: string }>(platform(), 'POST', `/accounts/${id}/keys`);
      printer().fact(`API key: ${key.apiKey}`, key);
    });

  withExamples(accounts.command('issue-secret'), ['accounts issue-secret acc_01hx…'])
    .description('issue a new signing secret; shown once')
    .argument('<account>', 'its ID or email address')
    .action(async (account: string) => {
      const id = await findId(platform(), account);
      const issued = await callOperatorApi<{ secret: string }>(platform(), 'POST', `/accounts/${id}/signing-secret`);
      printer().fact(`signing secret: ${issued.secret}`, issued);
    });

  withExamples(accounts.command('delete'), ['accounts delete ada@example.com --yes'])
    .description('delete an account with its files, records and keys; this cannot be undone')
    .argument('<account>', 'its ID or email address')
    .option('--yes', 'do not ask for confirmation')
    .action(async (account: string, options: { yes?: true }) => {
      const id = await findId(platform(), account);
      if (!options.yes && !(await confirm(`Delete ${account} with all of its files, records and keys?`))) {
        process.exitCode = exitCodes.failed;
        printer().fact('nothing was deleted', { deleted: false });
        return;
      }
      await callOperatorApi(platform(), 'DELETE', `/accounts/${id}`);
      printer().fact(`${account} was deleted`, { deleted: true });
    });
}

async function listAccounts(platform: Platform, email: string | undefined, limit: number): Promise<Account[]> {
  const rows: Account[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(Math.min(100, limit - rows.length)) });
    if (email !== undefined) query.set('email', email);
    if (cursor !== null) query.set('cursor', cursor);
    const page: AccountPage = await callOperatorApi(platform, 'GET', `/accounts?${query}`);
    rows.push(...page.accounts);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < limit);
  return rows;
}

async function change(
  platform: Platform,
  account: string,
  changes: { plan?: string; status?: string },
): Promise<Account> {
  return callOperatorApi(platform, 'PATCH', `/accounts/${await findId(platform, account)}`, changes);
}

async function findId(platform: Platform, account: string): Promise<string> {
  if (!account.includes('@')) return encodeURIComponent(account);
  const [found] = await listAccounts(platform, account, 1);
  if (!found) throw new OperatorApiError(`no account is registered with ${account}`);
  return found.id;
}
