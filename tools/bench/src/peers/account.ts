import { browserAccount } from '@capture/provisioning/chromium';
import { runCommand } from '@capture/provisioning/run-command';

/** The account that runs a peer, and the Chromium flags. */
export interface PeerAccount {
  /** Null means the account of this process. */
  account: { uid: number; gid: number } | null;
  args: string[];
}

/**
 * Peers keep Chromium's sandbox as the platform does. The sandbox refuses root, so root runs peers as the unprivileged browser
 * account. If that account cannot run this Node, peers run without the sandbox, which favors them.
 */
export async function peerAccount(): Promise<PeerAccount> {
  const account = browserAccount();
  if (account === null) return { account, args: [] };
  const options = { ...account, cwd: '/', env: {}, timeoutMs: 20_000 };
  const { code } = await runCommand(process.execPath, ['-e', '0'], options);
  return code === 0 ? { account, args: [] } : { account: null, args: ['--no-sandbox'] };
}
