import type { Case } from '../case.ts';

/** Scripts of the world: every letter has a glyph. */
export const scripts: Case[] = [
  {
    name: 'script-thai',
    group: 'scripts of the world',
    page: '/pages/scripts/thai.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    quick: true,
    what: 'A heading in Thai, without boxes.',
  },
  {
    name: 'script-bengali',
    group: 'scripts of the world',
    page: '/pages/scripts/bengali.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A heading in Bengali, without boxes.',
  },
  {
    name: 'script-tamil',
    group: 'scripts of the world',
    page: '/pages/scripts/tamil.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A heading in Tamil, without boxes.',
  },
  {
    name: 'script-telugu',
    group: 'scripts of the world',
    page: '/pages/scripts/telugu.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A heading in Telugu, without boxes.',
  },
  {
    name: 'script-amharic',
    group: 'scripts of the world',
    page: '/pages/scripts/amharic.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A heading in Amharic, without boxes.',
  },
  {
    name: 'script-khmer',
    group: 'scripts of the world',
    page: '/pages/scripts/khmer.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A heading in Khmer, without boxes.',
  },
  {
    name: 'script-burmese',
    group: 'scripts of the world',
    page: '/pages/scripts/burmese.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A heading in Burmese, without boxes.',
  },
  {
    name: 'script-hindi',
    group: 'scripts of the world',
    page: '/pages/scripts/hindi.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A heading in Hindi, without boxes.',
  },
  {
    name: 'script-arabic',
    group: 'scripts of the world',
    page: '/pages/scripts/arabic.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A heading in Arabic, without boxes.',
  },
  {
    name: 'script-chinese-simplified',
    group: 'scripts of the world',
    page: '/pages/scripts/chinese-simplified.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A heading in Chinese, Simplified, without boxes.',
  },
  {
    name: 'script-japanese',
    group: 'scripts of the world',
    page: '/pages/scripts/japanese.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A heading in Japanese, without boxes.',
  },
  {
    name: 'script-korean',
    group: 'scripts of the world',
    page: '/pages/scripts/korean.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A heading in Korean, without boxes.',
  },
  {
    name: 'script-emoji',
    group: 'scripts of the world',
    page: '/pages/scripts/emoji.html',
    expect: [
      { whole: '#00c853', pixels: { least: 60_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A heading in emoji, without boxes.',
  },
  {
    name: 'script-languages',
    group: 'scripts of the world',
    page: '/pages/scripts/languages.html',
    expect: [
      { whole: '#00c853', pixels: { least: 20_000 } },
      { whole: '#ff0080', pixels: { most: 0 } },
    ],
    what: 'A list of languages, each in its own script.',
  },
];
