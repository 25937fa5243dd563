import { Select } from '@mantine/core';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { show } from '../testing/show.tsx';
import { PanelArea, SidePanel } from './side-panel.tsx';

function Page({ keepsMounted = false }: { keepsMounted?: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isOver, setIsOver] = useState(false);
  return (
    <PanelArea>
      <button onClick={() => setIsOpen(true)}>Why</button>
      {(keepsMounted || isOpen) && (
        <SidePanel opened={isOpen} onClose={() => setIsOpen(false)} title="Reasons">
          <Select label="Compared with" data={['Version 1', 'Version 2']} />
          <button onClick={() => setIsOver(true)}>Source</button>
        </SidePanel>
      )}
      {isOver && (
        <SidePanel opened onClose={() => setIsOver(false)} title="Sources">
          The price list
        </SidePanel>
      )}
    </PanelArea>
  );
}

const panel = (name: string) => screen.queryByRole('dialog', { name });

test.each([true, false])('a panel takes the focus and gives it back where it was (kept: %s)', async (keepsMounted) => {
  const { user } = show(<Page keepsMounted={keepsMounted} />);
  await user.click(screen.getByRole('button', { name: 'Why' }));
  expect(document.activeElement).toBe(panel('Reasons'));
  await user.keyboard('{Escape}');
  expect(panel('Reasons')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Why' }));
});

test('Escape closes what is in sight first: a list in a panel, then the panel over another, then that', async () => {
  const { user } = show(<Page />);
  await user.click(screen.getByRole('button', { name: 'Why' }));
  await user.click(screen.getByRole('combobox', { name: 'Compared with' }));
  await user.keyboard('{Escape}');
  expect(screen.getByRole('combobox', { name: 'Compared with' }).getAttribute('aria-expanded')).toBe('false');
  expect(panel('Reasons')).not.toBeNull();
  await user.click(screen.getByRole('button', { name: 'Source' }));
  await user.keyboard('{Escape}');
  expect([panel('Sources'), panel('Reasons') !== null]).toEqual([null, true]);
  await user.keyboard('{Escape}');
  expect(panel('Reasons')).toBeNull();
});

test('an Escape that an input method has for itself closes nothing', async () => {
  const { user } = show(<Page />);
  await user.click(screen.getByRole('button', { name: 'Why' }));
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape', isComposing: true });
  expect(panel('Reasons')).not.toBeNull();
});
