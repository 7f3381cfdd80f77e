export interface Announced {
  port: number;
  /** The base URL of links, if it differs from this machine's URL. */
  publicUrl: string | undefined;
  operatorKey: string;
  contractForm: string;
  newAccountPlan: string;
  samplePagePort: number;
  dataDir: string;
  seconds: number;
}

/**
 * The text that is printed when the platform runs. Its commands can be pasted unchanged into sh, bash or zsh and need only curl.
 * They register an account (with a new email address each time) and save a screenshot of the sample page.
 */
export function announcement(running: Announced): string {
  const local = `http://localhost:${running.port}`;
  const facts = [
    ['address', running.publicUrl && running.publicUrl !== local ? `${local} (public: ${running.publicUrl})` : local],
    ['dashboard', `${local}/dashboard`],
    ['documentation', `${local}/docs`],
    ['operator key', running.operatorKey],
    ['API profile', running.contractForm],
    ['new accounts', `plan ${running.newAccountPlan}`],
    ['data and logs', running.dataDir],
  ] as const;
  const width = Math.max(...facts.map(([name]) => name.length)) + 1;
  return `
────────────────────────────────────────────────────────────────────────────────
The capture platform is ready (${running.seconds.toFixed(1)} s).

${facts.map(([name, value]) => `  ${`${name}:`.padEnd(width)} ${value}`).join('\n')}

Try it: get a key, then a screenshot of the sample page.

KEY=$(curl -fsS ${local}/api/auth/register -H 'Content-Type: application/json' -d '{"email":"me-'$(date +%s)'@example.com"}' | sed 's/.*"apiKey": *"\\([^"]*\\)".*/\\1/')
curl -fsS -G ${local}/api/v1/screenshot -H "X-API-Key: $KEY" --data-urlencode url=http://127.0.0.1:${running.samplePagePort}/ -o sample.png && echo "Saved sample.png"

Ctrl-C stops everything.
────────────────────────────────────────────────────────────────────────────────`;
}
