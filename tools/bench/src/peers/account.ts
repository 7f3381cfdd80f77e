import { browserAccount } from '@capture/provisioning/chromium';
import { runCommand } from '@capture/provisioning/run-command';

/** Who runs a peer, and with which flags of Chromium's. */
export interface PeerAccount {
  /** Null is the account of this process. */
  account: { uid: number; gid: number } | null;
  args: string[];
}

/**
 * Peers keep Chromium's sandbox as we do. It refuses root, so root runs them as `nobody`; only where Node is in a folder
 * that `nobody` cannot enter are they run without it, which favours them.
 */
export async function peerAccount(): Promise<PeerAccount> {
  const account = browserAccount();
  if (account === null) return { account, args: [] };
  const options = { ...account, cwd: '/', env: {}, timeoutMs: 20_000 };
  const { code } = await runCommand(process.execPath, ['-e', '0'], options);
  return code === 0 ? { account, args: [] } : { account: null, args: ['--no-sandbox'] };
}
