export interface Announced {
  /** Where it is reached from this machine. */
  port: number;
  /** How links are written, where that is not the address on this machine. */
  publicUrl: string | undefined;
  operatorKey: string;
  contractForm: string;
  samplePagePort: number;
  dataDir: string;
  seconds: number;
}

/**
 * What is printed when everything runs. The commands can be pasted as they stand, into sh, bash or zsh, without any other
 * tool: they register an account (a new address each time) and capture the sample page into a file.
 */
export function announcement(running: Announced): string {
  const local = `http://localhost:${running.port}`;
  const facts = [
    ['address', running.publicUrl && running.publicUrl !== local ? `${local} (public: ${running.publicUrl})` : local],
    ['operator key', running.operatorKey],
    ['contract form', running.contractForm],
    ['data and logs', running.dataDir],
  ] as const;
  const width = Math.max(...facts.map(([name]) => name.length)) + 1;
  return `
────────────────────────────────────────────────────────────────────────────────
The capture platform is ready (${running.seconds.toFixed(1)} s).

${facts.map(([name, value]) => `  ${`${name}:`.padEnd(width)} ${value}`).join('\n')}

Try it: get a key, then a picture of the sample page.

KEY=$(curl -fsS ${local}/api/auth/register -H 'Content-Type: application/json' -d '{"email":"me-'$(date +%s)'@example.com"}' | sed 's/.*"apiKey": *"\\([^"]*\\)".*/\\1/')
curl -fsS -G ${local}/api/v1/screenshot -H "X-API-Key: $KEY" --data-urlencode url=http://127.0.0.1:${running.samplePagePort}/ -o sample.png && echo "Saved sample.png"

Ctrl-C stops everything.
────────────────────────────────────────────────────────────────────────────────`;
}
