import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** One line of what is known about a thing: what it is called, and what it is. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" align="baseline">
      <Text size="sm" c="dimmed" w={120} style={{ flex: 'none' }}>
        {label}
      </Text>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Group>
  );
}
