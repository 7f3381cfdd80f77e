export { tidyForMarkdown } from './markdown/tidy.ts';
export { writeMarkdown } from './markdown/write-markdown.ts';
