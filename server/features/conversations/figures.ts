export { countChanged, countWaits, listAsked, sumByQuarter, type FiguresFilter } from './figures.store.ts';
