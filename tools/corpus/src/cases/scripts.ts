import { type Case, cases } from '../case.ts';
import { hides, shows } from '../expectations.ts';

const heading = (page: string, language: string) => ({
  page,
  expect: [shows('#00c853', 60_000), hides('#ff0080')],
  what: `A heading in ${language}, without boxes.`,
});

/** Writing systems of the world. Every letter has a glyph. */
export const scripts: Case[] = cases('scripts of the world', 'scripts', {
  'script-thai': { ...heading('thai.html', 'Thai'), quick: true },
  'script-bengali': heading('bengali.html', 'Bengali'),
  'script-tamil': heading('tamil.html', 'Tamil'),
  'script-telugu': heading('telugu.html', 'Telugu'),
  'script-amharic': heading('amharic.html', 'Amharic'),
  'script-khmer': heading('khmer.html', 'Khmer'),
  'script-burmese': heading('burmese.html', 'Burmese'),
  'script-hindi': heading('hindi.html', 'Hindi'),
  'script-arabic': heading('arabic.html', 'Arabic'),
  'script-chinese-simplified': heading('chinese-simplified.html', 'Chinese, Simplified'),
  'script-japanese': heading('japanese.html', 'Japanese'),
  'script-korean': heading('korean.html', 'Korean'),
  'script-emoji': heading('emoji.html', 'emoji'),
  'script-languages': {
    page: 'languages.html',
    expect: [shows('#00c853', 20_000), hides('#ff0080')],
    what: 'A list of languages, each in its own script.',
  },
});
