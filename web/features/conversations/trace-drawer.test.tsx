import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { conversations, type Trace } from '../../../shared/contracts/conversations.ts';
import { services } from '../../../shared/contracts/services.ts';
import { serve, show } from '../../testing/show.tsx';
import { TraceDrawer } from './trace-drawer.tsx';

const service = crypto.randomUUID();

function explain(changes: Partial<Trace>) {
  const trace: Trace = {
    query: null,
    coverage: null,
    searchMs: 11,
    passages: [],
    omitted: 0,
    prompt: null,
    service: null,
    without: [],
    failed: [],
    tools: [],
    usage: null,
    ...changes,
  };
  serve(services.list, () => []);
  serve(conversations.trace, () => ({ data: trace }));
  show(
    <TraceDrawer thread={crypto.randomUUID()} message={crypto.randomUUID()} onClose={() => {}} onCitation={() => {}} />,
  );
}

test('why a model was passed over is told in words, also where its provider said more', async () => {
  explain({
    failed: [
      { service, code: 'provider-unreachable' },
      { service, code: 'provider-refused' },
      { service, code: 'unheard-of' },
    ],
  });
  expect(await screen.findByText(/The model's provider cannot be reached right now\./)).toBeTruthy();
  expect(screen.getByText(/The model's provider refused the request: …/)).toBeTruthy();
  expect(screen.getByText('unheard-of')).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/provider-|{{/);
});

test('what an answer took is told as below the answer, and what its model refused by name', async () => {
  explain({
    without: [{ service, parts: ['temperature', 'reasoning'] }],
    usage: {
      service,
      serviceName: 'Double',
      tokensIn: 10,
      tokensOut: 5,
      tokensCached: 0,
      cost: 0,
      ownKey: false,
      latencyMs: 7328,
      firstTokenMs: null,
    },
  });
  const steps = await screen.findByRole('list', { name: 'From question to answer' });
  expect(steps.textContent).toContain('11 ms');
  expect(steps.textContent).toContain('7.3 s');
  expect(document.body.textContent).toMatch(/temperature/i);
});
