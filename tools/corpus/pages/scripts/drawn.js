// Marks texts by whether the browser has glyphs for them: it draws each character, and some that no font has.
(async () => {
  await document.fonts.ready;
  const canvas = Object.assign(document.createElement('canvas'), { width: 96, height: 96 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const inkOf = (text) => {
    context.clearRect(0, 0, 96, 96);
    context.font = '48px sans-serif';
    context.fillText(text, 16, 64);
    return context.getImageData(0, 0, 96, 96).data.join();
  };
  const missing = [0x10fffd, 0xfdd0, 0x0378].map((code) => inkOf(String.fromCodePoint(code)));
  for (const mark of document.querySelectorAll('.drawn')) {
    const text = mark.nextElementSibling.textContent;
    const letters = [...text].filter((each) => /[\p{L}\p{Extended_Pictographic}\p{S}]/u.test(each));
    const faulty = letters.filter((each) => missing.includes(inkOf(each)));
    mark.className = `drawn ${letters.length > 0 && faulty.length === 0 ? 'yes' : 'no'}`;
    mark.title = faulty.join(' ');
  }
})();
