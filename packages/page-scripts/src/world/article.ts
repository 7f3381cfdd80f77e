export { chooseMain } from './article/choose-main.ts';
