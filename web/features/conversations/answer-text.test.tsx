import { screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import { show } from '../../testing/show.tsx';
import { AnswerText } from './answer-text.tsx';

const citation = (number: number, name: string): Citation => ({
  number,
  document: { uuid: crypto.randomUUID(), name, mime: 'text/plain' },
  knowledge: crypto.randomUUID(),
  embedding: crypto.randomUUID(),
  page: 3,
  headings: ['Delivery'],
  quote: 'Orders leave within two days.',
});

const answer = (text: string, citations: Citation[] = [], onOpen?: (citation: Citation) => void) =>
  show(<AnswerText text={text} citations={citations} onOpen={onOpen} />);

describe('Markdown', () => {
  test('becomes headings, lists and tables', () => {
    answer('## Delivery\n\n- fast\n- safe\n\n| Size | Price |\n| --- | --- |\n| L | 10 |');
    expect(screen.getByRole('heading', { level: 2, name: 'Delivery' })).toBeTruthy();
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['fast', 'safe']);
    expect(screen.getByRole('columnheader', { name: 'Price' })).toBeTruthy();
    expect(screen.getByRole('cell', { name: '10' })).toBeTruthy();
  });

  test('is bold in Japanese, where no space stands beside the stars', () => {
    answer('納期は**三日**です。');
    expect(screen.getByText('三日').tagName).toBe('STRONG');
  });

  test('shows HTML as it was written', () => {
    const { container } = answer('Hello <img src=x onerror=alert(1)> and\n\n<script>alert(2)</script>');
    expect(container.querySelector('img, script')).toBeNull();
    expect(container.textContent).toContain('<img src=x onerror=alert(1)>');
    expect(container.textContent).toContain('<script>alert(2)</script>');
  });

  test('fetches no picture; it becomes a link that a person must press', () => {
    answer('![the plan](https://elsewhere.example/plan.png)');
    expect(screen.queryByRole('img')).toBeNull();
    expect(screen.getByRole('link', { name: 'the plan' }).getAttribute('href')).toBe(
      'https://elsewhere.example/plan.png',
    );
  });

  test('leads outside without telling from where, and never to a program or a place on this host', () => {
    answer('[out](https://example.com) [run](javascript:alert(1)) [run](java&#115;cript:alert(1)) [here](/account)');
    const link = screen.getByRole('link');
    expect(link.textContent).toBe('out');
    expect(link.getAttribute('rel')).toContain('noopener noreferrer');
    expect(screen.queryByRole('link', { name: 'run' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'here' })).toBeNull();
  });

  test('keeps code as it is, with a button that copies it', () => {
    answer('```\nconst a = "**b**";\n```');
    expect(screen.getByText('const a = "**b**";').tagName).toBe('CODE');
    expect(screen.getByRole('button', { name: 'Copy the code' })).toBeTruthy();
  });
});

describe('a mark', () => {
  test('is called as its source, and opens it', async () => {
    const delivery = citation(1, 'Delivery.pdf');
    const onOpen = vi.fn<(citation: Citation) => void>();
    const { user } = answer('Two days [1].', [delivery], onOpen);
    await user.click(screen.getByRole('button', { name: 'Source 1: Delivery.pdf' }));
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(delivery);
  });

  test('shows what it quotes when it is reached, until Escape', async () => {
    const { user } = answer('Two days [1].', [citation(1, 'Delivery.pdf')], () => {});
    await user.tab();
    const card = await screen.findByRole('dialog', { name: 'Source 1: Delivery.pdf' });
    expect(within(card).getByText('Orders leave within two days.')).toBeTruthy();
    expect(within(card).getByText('Delivery › Page 3')).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('of no source stays a number in brackets', () => {
    answer('Two days [2].', [citation(1, 'Delivery.pdf')], () => {});
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText('Two days [2].')).toBeTruthy();
  });

  test('is only a number where there is nothing to open', () => {
    answer('Two days [1].', [citation(1, 'Delivery.pdf')]);
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText('[1]').tagName).toBe('SUP');
  });
});
