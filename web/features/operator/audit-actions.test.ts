import { expect, test } from 'vitest';
import en from '../../../shared/locales/en/operator.json' with { type: 'json' };
import ja from '../../../shared/locales/ja/operator.json' with { type: 'json' };
import { auditActions } from './audit-actions.ts';

test.each([
  ['English', en],
  ['Japanese', ja],
])('every action that the log can be searched for has words in %s, and there are no others', (_, { audit }) => {
  const worded = Object.entries(audit.actions).flatMap(([what, actions]) =>
    Object.keys(actions).map((action) => `${what}.${action}`),
  );
  expect(worded.toSorted()).toEqual(auditActions.toSorted());
});
