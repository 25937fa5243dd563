import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section as UiSection } from '../../ui/page.tsx';

interface Props {
  title: string;
  text?: ReactNode;
  /** How it stands, beside the title. */
  state?: ReactNode;
  children?: ReactNode;
}

/** A part of the account: what it is for, then its form. */
export function Section({ title, text, state, children }: Props) {
  return (
    <UiSection title={title} end={state}>
      <Stack pt="sm" pb="md">
        {text && (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        )}
        {children}
      </Stack>
    </UiSection>
  );
}
