import { Box, Button, Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Drawing } from './drawing.tsx';

interface EmptyProps {
  drawing: Parameters<typeof Drawing>[0]['kind'];
  isFailure?: boolean;
  title: string;
  text: string;
  action?: ReactNode;
}

/** Nothing here yet: what it would be, and how to get the first one. */
export function EmptyState({ drawing, isFailure, title, text, action }: EmptyProps) {
  return (
    <Center py={{ base: 24, sm: 48 }} px="md">
      <Stack align="center" gap="xs" ta="center" maw={440}>
        <Drawing kind={drawing} {...(isFailure && { isFailure })} />
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" size="sm" style={{ textWrap: 'balance' }}>
          {text}
        </Text>
        {action && <Box mt="xs">{action}</Box>}
      </Stack>
    </Center>
  );
}

interface ErrorProps {
  title: string;
  text: string;
  retry: string;
  onRetry(): void;
}

/** It did not work this time: why, and a way to try again. */
export function ErrorState({ title, text, retry, onRetry }: ErrorProps) {
  return (
    <Center py={48} px="md" role="alert">
      <Stack align="center" gap="xs" ta="center" maw={440}>
        <Drawing kind="broken" />
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" size="sm">
          {text}
        </Text>
        <Button variant="light" onClick={onRetry} mt="xs">
          {retry}
        </Button>
      </Stack>
    </Center>
  );
}
