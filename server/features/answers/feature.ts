import { trials } from '../../../shared/contracts/services.ts';
import type { Feature } from '../../feature.ts';
import { drainAnswers, type RunningAnswer } from './answer.ts';
import { answerRoutes } from './answers.routes.ts';
import { drawLimits } from './draw.ts';

declare module '../../feature.ts' {
  interface Services {
    /** The answers that this process is making. */
    answering: Set<RunningAnswer>;
  }
}

/** Answers to questions, for whoever asks on whichever channel. */
export const answers: Feature = {
  name: 'answers',
  contracts: [trials],
  routes: answerRoutes,
  limits: Object.values(drawLimits),
  provide: () => ({ answering: new Set() }),
  serve: (context) => (drainMs) => drainAnswers(context, drainMs),
};
