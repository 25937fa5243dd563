import '@mantine/core/styles/Code.css';
import { Button, Code, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Bot, Tool } from '../../../shared/contracts/bots.ts';
import { isPrivateRefused, useAllowAddress } from '../../lib/allow-address.ts';
import { ApiError } from '../../lib/api.ts';
import { formatWait, gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { AddressOffer } from '../../ui/address-offer.tsx';
import { State } from '../../ui/page.tsx';
import { monospace } from '../../ui/monospace.ts';
import { Modal } from '../../ui/overlays.tsx';
import classes from './bots.module.css';
import { useTryTool } from './bots.queries.ts';

type Parameter = Tool['parameters'][number];

/** One call with what a person fills in, as a model would make it. */
export function ToolTrial({ bot, tool, onClose }: { bot: Bot; tool: Tool; onClose(): void }) {
  const { t } = useTranslation('bots-editor');
  const [typed, setTyped] = useState<Record<string, string>>({});
  const trial = useTryTool(bot.uuid);
  const offer = useAllowAddress(isPrivateRefused(trial.error), tool.url);
  const read = tool.parameters.map((parameter) => ({ parameter, ...valueOf(parameter, typed[parameter.name] ?? '') }));
  const error = trial.error instanceof ApiError ? trial.error : undefined;
  return (
    <Modal opened onClose={onClose} title={t('trial.title', { name: tool.name })} size="lg" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          trial.mutate({
            tool,
            input: Object.fromEntries(
              read.flatMap(({ parameter, value }) => (value === undefined ? [] : [[parameter.name, value]])),
            ),
          });
        }}
      >
        <Stack>
          <div className={classes['note']}>
            <State kind="warning">{t('trial.warning')}</State>
          </div>
          {read.map(({ parameter, isWrong }) => {
            const field = {
              label: parameter.name,
              description: [t(`type.${parameter.type}`), parameter.description].filter(Boolean).join(' · '),
              required: parameter.required,
              error: isWrong ? t('trial.wrong', { type: t(`type.${parameter.type}`) }) : undefined,
            };
            const onText = (text: string) => setTyped((before) => ({ ...before, [parameter.name]: text }));
            if (parameter.type === 'boolean')
              return (
                <Select
                  key={parameter.name}
                  {...field}
                  clearable={!parameter.required}
                  data={['true', 'false']}
                  value={typed[parameter.name] || null}
                  onChange={(value) => onText(value ?? '')}
                />
              );
            if (parameter.type === 'array' || parameter.type === 'object')
              return (
                <Textarea
                  key={parameter.name}
                  {...field}
                  styles={monospace}
                  autosize
                  minRows={2}
                  placeholder={parameter.type === 'array' ? '[]' : '{}'}
                  value={typed[parameter.name] ?? ''}
                  onChange={(event) => onText(event.currentTarget.value)}
                />
              );
            return (
              <TextInput
                key={parameter.name}
                {...field}
                value={typed[parameter.name] ?? ''}
                onChange={(event) => onText(event.currentTarget.value)}
              />
            );
          })}
          <Group justify="flex-end">
            <Button
              type="submit"
              loading={trial.isPending}
              disabled={read.some(
                ({ isWrong, value, parameter }) => isWrong || (parameter.required && value === undefined),
              )}
            >
              {t('trial.run')}
            </Button>
          </Group>
          {error && (
            <Text size="sm" c="red" role="alert">
              {[error.message, ...Object.values(error.fields)].join(gap())}
            </Text>
          )}
          {offer && <AddressOffer {...offer} />}
          {trial.data && (
            <Stack gap={6} role="status">
              <Group gap="xs">
                <State kind={trial.data.status < 400 ? 'live' : 'failed'}>{trial.data.status}</State>
                <Text size="sm" c="dimmed">
                  {formatWait(trial.data.tookMs)}
                </Text>
              </Group>
              <Code
                block
                tabIndex={0}
                style={{ maxHeight: 280, overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
              >
                {trial.data.body ? pretty(trial.data.body) : t('trial.empty')}
              </Code>
            </Stack>
          )}
        </Stack>
      </form>
    </Modal>
  );
}

function valueOf({ type }: Parameter, text: string): { value?: unknown; isWrong: boolean } {
  const plain = text.trim();
  if (plain === '') return { isWrong: false };
  if (type === 'string') return { value: text, isWrong: false };
  if (type === 'boolean') return { value: plain === 'true', isWrong: false };
  const value = parse(plain);
  const fits =
    type === 'array'
      ? Array.isArray(value)
      : type === 'object'
        ? typeof value === 'object' && value !== null && !Array.isArray(value)
        : typeof value === 'number' && (type === 'number' || Number.isInteger(value));
  return { value, isWrong: !fits };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const pretty = (body: string) => {
  const value = parse(body);
  return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : body;
};
