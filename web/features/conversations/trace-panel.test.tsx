import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { conversations, type Trace } from '../../../shared/contracts/conversations.ts';
import { services } from '../../../shared/contracts/services.ts';
import { serve, show } from '../../testing/show.tsx';
import { TracePanel } from './trace-panel.tsx';

const service = crypto.randomUUID();

function explain(changes: Partial<Trace>) {
  const trace: Trace = {
    query: null,
    coverage: null,
    threshold: null,
    refused: false,
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
    <TracePanel thread={crypto.randomUUID()} message={crypto.randomUUID()} onClose={() => {}} onCitation={() => {}} />,
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

const aPassage = {
  embedding: crypto.randomUUID(),
  document: null,
  knowledge: null,
  page: null,
  headings: [],
  text: '',
};

test('of a refusal one reads what the bot wants and how near the best passage came, and nothing is called used', async () => {
  explain({
    refused: true,
    coverage: 0.31,
    threshold: 0.4,
    passages: [{ ...aPassage, score: 1, used: false, number: null, cited: null }],
  });
  expect(await screen.findByText(/best passage has 31% of/)).toBeTruthy();
  expect(screen.getByText(/below this bot’s threshold of 40%/)).toBeTruthy();
  expect(screen.getByRole('meter').getAttribute('aria-valuenow')).toBe('31');
  expect(screen.getByText(/^Not given/)).toBeTruthy();
  expect(screen.queryByText(/Given,|Cited as|given to the model/)).toBeNull();
});

test('a passage has the number that the model knew it by, and the one that the answer cites it by', async () => {
  explain({ passages: [{ ...aPassage, score: 1, used: true, number: 4, cited: 1 }] });
  expect(await screen.findByText('Cited as 1 · passage 4 in the prompt')).toBeTruthy();
});

test('how near a passage came is told beside the best one, not as a bare figure', async () => {
  explain({
    coverage: 0.9,
    threshold: 0.4,
    passages: [
      { ...aPassage, score: 1.2, used: true, number: 1, cited: 1 },
      { ...aPassage, embedding: crypto.randomUUID(), score: 0.3, used: true, number: 2, cited: null },
    ],
  });
  expect(await screen.findByTitle(/25% of the best/)).toBeTruthy();
  expect(screen.getByText(/reaches this bot’s threshold of 40%/)).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/1\.2|0\.3/);
});

test('of the model that only quotes one reads what it read and quoted, and nothing of prompts and tokens', async () => {
  explain({
    service: 'Kotae (Built-in)',
    coverage: 1,
    threshold: 0.4,
    prompt: [{ role: 'system', text: 'Rules' }],
    usage: {
      service,
      serviceName: 'Kotae (Built-in)',
      tokensIn: 0,
      tokensOut: 0,
      tokensCached: 0,
      cost: 0,
      ownKey: false,
      latencyMs: 300,
      firstTokenMs: 290,
    },
    passages: [
      { ...aPassage, score: 1, used: true, number: 2, cited: 1 },
      { ...aPassage, embedding: crypto.randomUUID(), score: 0.4, used: true, number: 1, cited: null },
      { ...aPassage, embedding: crypto.randomUUID(), score: 0.1, used: false, number: null, cited: null },
    ],
  });
  expect(await screen.findByText('Quoted as 1')).toBeTruthy();
  expect(screen.getByText('Read, not quoted')).toBeTruthy();
  expect(screen.getByText('Not read')).toBeTruthy();
  expect(screen.getByRole('list', { name: 'From question to answer' }).textContent).toContain('1 passage quoted');
  expect(document.body.textContent).not.toMatch(/prompt|tokens|given|went to the model/i);
});
