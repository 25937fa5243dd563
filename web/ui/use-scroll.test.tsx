import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show } from '../testing/show.tsx';
import { useScroll } from './use-scroll.ts';

function Page() {
  const { box, content, isAtEnd, handlers } = useScroll({ first: 'a', count: 1, isAsking: false, aim: undefined });
  return (
    <div ref={box} role="log" {...handlers}>
      <div ref={content} />
      {isAtEnd ? 'at the end' : 'elsewhere'}
    </div>
  );
}

test('a reader leaves the newest message by scrolling up, not by what takes its room meanwhile', () => {
  show(<Page />);
  const log = screen.getByRole('log');
  const size = (height: number) =>
    Object.defineProperties(log, {
      scrollHeight: { value: 1_000, configurable: true },
      clientHeight: { value: height, configurable: true },
    });
  const scroll = (scrollTop: number) => fireEvent.scroll(log, { target: { scrollTop } });
  size(600);
  scroll(400);
  // A panel opens below before the browser tells of the scroll that put the end in sight.
  size(300);
  scroll(400);
  expect(log.textContent).toBe('at the end');
  scroll(350);
  expect(log.textContent).toBe('elsewhere');
  scroll(690);
  expect(log.textContent).toBe('at the end');
});
