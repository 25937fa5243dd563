import '@mantine/core/styles/Checkbox.css';
import { ActionIcon, Button, Checkbox, Group, Input, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { botLimits, type Bot, type Tool } from '../../../shared/contracts/bots.ts';
import { ApiError } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { monospace } from '../../ui/monospace.ts';
import { Modal } from '../../ui/overlays.tsx';
import { useUpdateBot } from './bots.queries.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const places = ['path', 'query', 'body'] as const;
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

interface Props {
  bot: Bot;
  tools: Tool[];
  at: number;
  tool: Tool;
  onSaved(tools: Tool[]): void;
  onClose(): void;
}

export function ToolEditor({ bot, tools, at, tool: given, onSaved, onClose }: Props) {
  const { t } = useTranslation('bots-editor');
  const [tool, setTool] = useState(given);
  const update = useUpdateBot(bot.uuid);
  const change = (changes: Partial<Tool>) => setTool((before) => ({ ...before, ...changes }));
  const error = update.error instanceof ApiError ? update.error : undefined;
  const fieldError = (path: string) => error?.fields[`tools.${at}.${path}`];

  const setUrl = (url: string) => {
    // A place in the address is a parameter that the call cannot do without.
    const named = [...url.matchAll(/\{([A-Za-z][A-Za-z0-9_-]*)\}/g)].flatMap(([, name]) => name ?? []);
    const missing = [...new Set(named)].filter((name) => !tool.parameters.some((parameter) => parameter.name === name));
    const kept = tool.parameters.filter(
      (parameter) =>
        parameter.in !== 'path' || named.includes(parameter.name) || !tool.url.includes(`{${parameter.name}}`),
    );
    change({
      url,
      parameters: [
        ...kept,
        ...missing.map((name) => ({
          name,
          in: 'path' as const,
          type: 'string' as const,
          description: '',
          required: true,
        })),
      ],
    });
  };
  const setParameter = (index: number, changes: Partial<Tool['parameters'][number]>) =>
    change({ parameters: tool.parameters.map((each, other) => (other === index ? { ...each, ...changes } : each)) });
  const setHeader = (index: number, changes: Partial<Tool['headers'][number]>) =>
    change({ headers: tool.headers.map((each, other) => (other === index ? { ...each, ...changes } : each)) });

  const save = () => {
    // What was approved is this call and no other.
    const isOther = JSON.stringify({ ...tool, description: '' }) !== JSON.stringify({ ...given, description: '' });
    const next = tools.toSpliced(at, 1, { ...tool, approved: tool.approved && !isOther });
    update.mutate(
      { tools: next },
      {
        onSuccess: () => {
          onSaved(next);
          onClose();
        },
      },
    );
  };

  return (
    <Modal
      opened
      onClose={onClose}
      title={given.name ? t('tool.editTitle', { name: given.name }) : t('tool.addTitle')}
      centered
      size="xl"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack>
          <TextInput
            label={t('common:name')}
            description={t('tool.nameHint')}
            value={tool.name}
            maxLength={64}
            styles={monospace}
            data-autofocus
            required
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={fieldError('name')}
          />
          <Textarea
            label={t('tool.description')}
            description={t('tool.descriptionHint')}
            value={tool.description}
            maxLength={1000}
            autosize
            minRows={2}
            onChange={(event) => change({ description: event.currentTarget.value })}
            error={fieldError('description')}
          />
          <Group gap="xs" wrap="nowrap" align="flex-start">
            <Select
              label={t('tool.method')}
              w={110}
              value={tool.method}
              allowDeselect={false}
              data={[...methods]}
              onChange={(value) => change({ method: methods.find((each) => each === value) ?? 'GET' })}
            />
            <TextInput
              label={t('tool.url')}
              style={{ flex: 1, minWidth: 0 }}
              type="url"
              value={tool.url}
              maxLength={2000}
              required
              placeholder="https://example.com/orders/{order}"
              onChange={(event) => setUrl(event.currentTarget.value)}
              error={fieldError('url')}
            />
          </Group>
          <Input.Wrapper label={t('tool.parameters')} labelElement="div" description={t('tool.parametersHint')}>
            <Stack gap="sm" mt={6}>
              {tool.parameters.map((parameter, index) => (
                <Stack key={index} gap={4} role="group" aria-label={t('parameter.label', { number: index + 1 })}>
                  <Group gap={6} align="flex-start">
                    <TextInput
                      style={{ flex: '1 1 120px' }}
                      size="xs"
                      styles={monospace}
                      placeholder={t('parameter.title')}
                      aria-label={t('parameter.title')}
                      value={parameter.name}
                      maxLength={64}
                      onChange={(event) => setParameter(index, { name: event.currentTarget.value })}
                      error={fieldError(`parameters.${index}.name`)}
                    />
                    <Select
                      size="xs"
                      w={110}
                      aria-label={t('parameter.in')}
                      value={parameter.in}
                      allowDeselect={false}
                      data={places.map((each) => ({ value: each, label: t(`place.${each}`) }))}
                      onChange={(value) =>
                        setParameter(index, { in: places.find((each) => each === value) ?? 'query' })
                      }
                    />
                    <Select
                      size="xs"
                      w={120}
                      aria-label={t('parameter.type')}
                      value={parameter.type}
                      allowDeselect={false}
                      data={types.map((each) => ({ value: each, label: t(`type.${each}`) }))}
                      onChange={(value) =>
                        setParameter(index, { type: types.find((each) => each === value) ?? 'string' })
                      }
                    />
                    <Checkbox
                      size="xs"
                      mt={7}
                      label={t('parameter.required')}
                      checked={parameter.required}
                      onChange={(event) => setParameter(index, { required: event.currentTarget.checked })}
                    />
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size={30}
                      aria-label={t('parameter.remove', { number: index + 1 })}
                      onClick={() => change({ parameters: tool.parameters.toSpliced(index, 1) })}
                    >
                      <IconTrash size={15} />
                    </ActionIcon>
                  </Group>
                  <TextInput
                    size="xs"
                    placeholder={t('parameter.description')}
                    aria-label={t('parameter.description')}
                    value={parameter.description}
                    maxLength={500}
                    onChange={(event) => setParameter(index, { description: event.currentTarget.value })}
                  />
                </Stack>
              ))}
            </Stack>
            {tool.parameters.length < botLimits.toolParameters && (
              <Button
                size="xs"
                variant="subtle"
                mt={6}
                leftSection={<IconPlus size={14} />}
                onClick={() =>
                  change({
                    parameters: [
                      ...tool.parameters,
                      {
                        name: '',
                        in: tool.method === 'GET' || tool.method === 'DELETE' ? 'query' : 'body',
                        type: 'string',
                        description: '',
                        required: false,
                      },
                    ],
                  })
                }
              >
                {t('parameter.add')}
              </Button>
            )}
          </Input.Wrapper>
          <Input.Wrapper
            label={t('tool.headers')}
            labelElement="div"
            description={t('tool.headersHint', { mark: '{{secret.NAME}}' })}
          >
            <Stack gap={6} mt={6}>
              {tool.headers.map((header, index) => (
                <Group key={index} gap={6} wrap="nowrap" align="flex-start">
                  <TextInput
                    style={{ flex: 1, minWidth: 0 }}
                    size="xs"
                    placeholder="Authorization"
                    aria-label={t('header.title', { number: index + 1 })}
                    value={header.name}
                    maxLength={100}
                    onChange={(event) => setHeader(index, { name: event.currentTarget.value })}
                    error={fieldError(`headers.${index}.name`)}
                  />
                  <TextInput
                    style={{ flex: 2, minWidth: 0 }}
                    size="xs"
                    placeholder="Bearer {{secret.API_KEY}}"
                    aria-label={t('header.value', { number: index + 1 })}
                    value={header.value}
                    maxLength={2000}
                    onChange={(event) => setHeader(index, { value: event.currentTarget.value })}
                    error={fieldError(`headers.${index}.value`)}
                  />
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={30}
                    aria-label={t('header.remove', { number: index + 1 })}
                    onClick={() => change({ headers: tool.headers.toSpliced(index, 1) })}
                  >
                    <IconTrash size={15} />
                  </ActionIcon>
                </Group>
              ))}
            </Stack>
            {tool.headers.length < botLimits.toolHeaders && (
              <Group gap={6} mt={6}>
                <Button
                  size="xs"
                  variant="subtle"
                  leftSection={<IconPlus size={14} />}
                  onClick={() => change({ headers: [...tool.headers, { name: '', value: '' }] })}
                >
                  {t('header.add')}
                </Button>
                {bot.secrets.map(({ name }) => (
                  <Button
                    key={name}
                    size="compact-xs"
                    variant="light"
                    color="gray"
                    ff="monospace"
                    onClick={() =>
                      change({
                        headers: [...tool.headers, { name: 'Authorization', value: `Bearer {{secret.${name}}}` }],
                      })
                    }
                  >
                    {`{{secret.${name}}}`}
                  </Button>
                ))}
              </Group>
            )}
          </Input.Wrapper>
          <FormActions
            submit={t('common:save')}
            cancel={t('common:cancel')}
            isBusy={update.isPending}
            error={error?.message}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
