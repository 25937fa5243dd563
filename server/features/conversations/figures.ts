export {
  countByChannel,
  countChanged,
  countWaits,
  listAsked,
  sumByQuarter,
  type Begun,
  type FiguresFilter,
  type Wait,
} from './figures.store.ts';
