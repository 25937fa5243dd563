import { Alert, Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import type { ApiError } from '../../lib/api.ts';
import { pageTitle } from '../../ui/page-title.ts';

/** What stands on the card of the way in: a heading, a sentence, and what to do. */
export function Card({ title, text, children }: { title: string; text?: ReactNode; children?: ReactNode }) {
  return (
    <Stack>
      <Title order={1} size="h3" {...pageTitle}>
        {title}
      </Title>
      {text && (
        <Text size="sm" style={{ overflowWrap: 'anywhere', textWrap: 'pretty' }}>
          {text}
        </Text>
      )}
      {children}
    </Stack>
  );
}

/** What the server said that belongs to no field. */
export function Refusal({ error, fields = [] }: { error: ApiError | undefined; fields?: string[] }) {
  if (!error || fields.some((field) => error.fields[field])) return null;
  const isHint = error.code === 'email-not-verified';
  return (
    <Alert color={isHint ? 'blue' : 'red'} role="alert">
      {error.message}
    </Alert>
  );
}

/** What makes a link lead to another card, with what has to come along in its address. */
function useCardLink(to: string, query: Record<string, string | undefined> = {}) {
  const router = useRouter();
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([key, value]): [string, string][] => (value ? [[key, value]] : [])),
  );
  const href = search.size > 0 ? `${to}?${search}` : to;
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void router.navigate({ href });
  };
  return { href, onClick };
}

interface LinkProps {
  to: string;
  query?: Record<string, string | undefined>;
  children: ReactNode;
}

export function CardLink({ to, query, children }: LinkProps) {
  return (
    <Anchor {...useCardLink(to, query)} inherit underline="always">
      {children}
    </Anchor>
  );
}

/** The same where it is the thing to do. */
export function CardButton({ to, query, children, isSecond = false }: LinkProps & { isSecond?: boolean }) {
  return (
    <Button component="a" {...useCardLink(to, query)} variant={isSecond ? 'default' : 'filled'} fullWidth>
      {children}
    </Button>
  );
}
