export { fitCard } from './card/fit-card.ts';
export { readCardMetadata } from './card/read-metadata.ts';
