import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Documentation of a Debian package, whose generator marks the content of its pages. */
interface Documents {
  package: string;
  /** The folder below `/usr/share/doc`. */
  folder: string;
  /** The number of pages to read. */
  count: number;
  /** The selector of the content. All matching elements count. */
  content: string;
  /** The selector of the generator's additions for readers of the site. */
  without?: string;
}

const sphinx = { content: '[role=main]', without: '.headerlink' };

export const documents: readonly Documents[] = [
  {
    package: 'python-django-doc',
    folder: 'python-django-doc/html',
    count: 10,
    content: '#docs-content, [role=main], .yui-g',
    without: '.headerlink',
  },
  {
    package: 'postgresql-doc-15',
    folder: 'postgresql-doc-15/html',
    count: 10,
    content: 'body',
    without: '.navheader, .navfooter, .id_link',
  },
  { package: 'git-doc', folder: 'git-doc', count: 9, content: 'body', without: '#footer' },
  {
    package: 'sqlite3-doc',
    folder: 'sqlite3',
    count: 9,
    content: 'body',
    without: '.nosearch, .menu, .searchmenu, .desktoponly, .fancy_toc',
  },
  {
    package: 'apache2-doc',
    folder: 'apache2-doc/manual/en',
    count: 8,
    content: '#page-content',
    without: '#quickview, .toplang, .bottomlang, .top',
  },
  { package: 'sphinx-doc', folder: 'sphinx-doc/html', count: 6, ...sphinx },
  { package: 'python-flask-doc', folder: 'python-flask-doc/html', count: 5, ...sphinx },
  { package: 'zsh-doc', folder: 'zsh-doc/html', count: 5, content: 'body', without: 'table.header' },
  { package: 'python-click-doc', folder: 'python-click-doc/html', count: 4, ...sphinx },
  { package: 'developers-reference', folder: 'developers-reference/docs', count: 4, ...sphinx },
  { package: 'python-requests-doc', folder: 'python-requests-doc/html', count: 3, ...sphinx },
];

/** Matches pages of reference and search, which have no text. */
const isIndex = /(?:genindex|py-modindex|search|bookindex|sitemap|Index)[^/]*\.html$/;

/** The minimum size in bytes. Smaller pages only lead to others. */
const smallest = 8_000;

/** A page to read, and the place of its content. */
export interface DocumentPage extends Documents {
  /** The path below the folder of `unpack`. */
  file: string;
}

/** Downloads the packages with apt and unpacks them without installation. @returns their pages, spread over each package. */
export function unpack(folder: string): DocumentPage[] {
  mkdirSync(folder, { recursive: true });
  const names = documents.map(({ package: name }) => name);
  execFileSync('apt-get', ['download', '-q', ...names], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const deb of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg', ['-x', deb, '.'], { cwd: folder });
  }
  return documents.flatMap((each) => {
    const root = path.join('usr/share/doc', each.folder);
    const files = readdirSync(path.join(folder, root), { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(root, name))
      .filter((file) => file.endsWith('.html') && !isIndex.test(file) && sizeOf(path.join(folder, file)) > smallest)
      .sort();
    const step = files.length / each.count;
    return Array.from({ length: each.count }, (_, index) => ({ ...each, file: files[Math.floor(index * step)] ?? '' }));
  });
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
