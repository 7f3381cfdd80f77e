import { addCopyButtons } from './copy.ts';
import { pickLanguages } from './languages.ts';
import { openSections } from './open-sections.ts';
import { setUpSearch } from './search.ts';
import { setUpTryIt } from './try-it.ts';

addCopyButtons();
pickLanguages();
openSections();
setUpSearch();
setUpTryIt();
