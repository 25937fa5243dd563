import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

interface Props {
  title: string;
  text?: ReactNode;
  /** How it stands, beside the title. */
  state?: ReactNode;
  children?: ReactNode;
}

export function Section({ title, text, state, children }: Props) {
  const id = useId();
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} aria-labelledby={id}>
      <Stack>
        <Box>
          <Group justify="space-between" gap="xs">
            <Title order={2} size="h4" id={id}>
              {title}
            </Title>
            {state}
          </Group>
          {text && (
            <Text size="sm" c="dimmed" mt={4}>
              {text}
            </Text>
          )}
        </Box>
        {children}
      </Stack>
    </Paper>
  );
}
