import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { pageTitle } from './page-title.ts';

interface Props {
  title: string;
  description?: ReactNode;
  /** What leads back up, above the title. */
  above?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, description, above, actions }: Props) {
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="sm">
      <Box miw={0} style={{ flex: '1 1 240px' }}>
        {above}
        <Title order={1} size="h2" {...pageTitle}>
          {title}
        </Title>
        {description && (
          <Text c="dimmed" size="sm" mt={2}>
            {description}
          </Text>
        )}
      </Box>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
