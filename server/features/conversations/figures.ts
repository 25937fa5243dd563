export {
  countByChannel,
  countChanged,
  countWaits,
  listAsked,
  sumByQuarter,
  type FiguresFilter,
  type Wait,
} from './figures.store.ts';
