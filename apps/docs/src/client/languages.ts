import { store, stored } from './stored.ts';

const key = 'docs-language';

/** Shows the samples in the language that the reader picked, on this page and the next ones. */
export function pickLanguages(): void {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('[data-language]')];
  const show = (language: string) => {
    if (!buttons.some(({ dataset }) => dataset.language === language)) return;
    for (const button of buttons) button.ariaPressed = String(button.dataset.language === language);
    for (const sample of document.querySelectorAll<HTMLElement>('[data-sample]')) {
      sample.hidden = sample.dataset.sample !== language;
    }
  };
  for (const button of buttons) {
    button.addEventListener('click', () => {
      const { language = '' } = button.dataset;
      show(language);
      store(key, language);
    });
  }
  show(stored(key) ?? '');
}
