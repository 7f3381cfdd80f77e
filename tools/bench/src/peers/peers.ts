import { cpSync } from 'node:fs';
import path from 'node:path';
import type { Chromium } from '@capture/provisioning/chromium';
import type { Report } from '@capture/provisioning/provisioning-error';
import { installPackages, type Packages } from '@capture/testing/install-packages';
import { makeTestFolder } from '@capture/testing/test-run';
import { type PeerAccount, peerAccount } from './account.ts';
import { startBrowserlessServer } from './browserless-server.ts';
import type { Contender, Peer } from './contender.ts';
import { startProgram } from './program.ts';

/** Peers that need a newer Node get one as an npm package. */
const newNode = `node-${process.platform}-${process.arch}`;
const newNodeVersion = '24.21.0';

const libraries: Packages = {
  puppeteer: '24.43.1',
  'puppeteer-cluster': '0.25.0',
  browserless: '10.12.13',
  'capture-website': '5.1.0',
  '@fontsource/roboto': '5.3.0',
  [newNode]: newNodeVersion,
};

const server: Packages = { '@browserless.io/browserless': '2.42.0', [newNode]: newNodeVersion };

/** A peer by the name of its program. `cluster@4` draws four pages at a time. */
export type PeerName =
  | 'naive'
  | 'scrolling'
  | 'floor'
  | 'reference'
  | 'microlink'
  | 'capture-website'
  | 'server'
  | `cluster@${number}`;

/** The names of peers in tables. */
export const titles: Record<string, string> = {
  naive: 'naive Puppeteer',
  scrolling: 'scrolling Puppeteer',
  floor: 'the floor',
  reference: 'the reference',
  microlink: "microlink's browserless",
  'capture-website': 'capture-website',
  server: "browserless.io's server",
  cluster: 'puppeteer-cluster',
};

/** The peers of a run, which are installed and started on first use, and run until the run ends. */
export class Peers {
  readonly #chromium: Chromium;
  readonly #report: Report;
  readonly #started = new Map<PeerName, Promise<Peer | string>>();
  readonly #installed = new Map<Packages, Promise<string>>();
  #account: Promise<PeerAccount> | undefined;

  constructor(chromium: Chromium, report: Report) {
    this.#chromium = chromium;
    this.#report = report;
  }

  /**
   * Returns the running peer, or the reason that it does not run here. A peer that died is started again, so that later
   * sections keep their figures.
   */
  get(name: PeerName): Promise<Contender | string> {
    const peer = this.#running(name, this.#started.get(name));
    this.#started.set(name, peer);
    return peer;
  }

  async #running(name: PeerName, known: Promise<Peer | string> | undefined): Promise<Peer | string> {
    const peer = await known;
    if (typeof peer === 'string' || peer?.alive()) return peer;
    return this.start(name).catch((error: Error) => `not run here: ${error.message}`);
  }

  /** Starts a peer for the caller alone, who closes it. */
  async start(name: PeerName): Promise<Peer> {
    this.#account ??= peerAccount();
    const account = await this.#account;
    const { path: executablePath } = this.#chromium;
    const folder = makeTestFolder('peer');
    const [program = name, concurrency = '1'] = name.split('@');
    if (name === 'server') {
      const installed = await this.#install(server);
      const node = nodeIn(installed);
      return startBrowserlessServer({ node, installed, folder, executablePath, account: account.account });
    }
    const cwd = await this.#install(libraries);
    return startProgram({
      name: titles[program] ?? program,
      node: program === 'microlink' ? nodeIn(cwd) : process.execPath,
      file: path.join(cwd, 'programs', `${program}.js`),
      cwd,
      folder,
      executablePath,
      concurrency: Number(concurrency),
      account,
    });
  }

  /** The folder of the web fonts that one page of the corpus shows. */
  async fonts(): Promise<string> {
    return path.join(await this.#install(libraries), 'node_modules', '@fontsource', 'roboto', 'files');
  }

  async close(): Promise<void> {
    const peers = await Promise.all(this.#started.values());
    await Promise.all(peers.map((peer) => (typeof peer === 'string' ? undefined : peer.close())));
  }

  #install(packages: Packages): Promise<string> {
    let installing = this.#installed.get(packages);
    if (!installing) {
      installing = installPackages('bench', packages, this.#report).then((folder) => {
        // The programs must be next to the packages that they import, which this repository does not have.
        if (packages === libraries) cpSync(builtPrograms, path.join(folder, 'programs'), { recursive: true });
        return folder;
      });
      this.#installed.set(packages, installing);
    }
    return installing;
  }
}

const builtPrograms = path.join(import.meta.dirname, '..', '..', 'dist', 'peers', 'programs');

const nodeIn = (folder: string) => path.join(folder, 'node_modules', newNode, 'bin', 'node');
