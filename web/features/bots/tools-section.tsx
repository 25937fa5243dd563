import { Button, Group } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { botLimits, type Tool } from '../../../shared/contracts/bots.ts';
import { formatDollars } from '../../lib/amounts.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toServiceOption } from '../../lib/service-option.ts';
import { useServices } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { later } from '../../ui/later.tsx';
import { ServiceSelect } from '../../ui/service-select.tsx';
import { toast } from '../../ui/toast.tsx';
import { Section, type SectionProps } from './section.tsx';
import type { Values } from './use-draft.ts';

const SecretsManager = lazy(async () => ({ default: (await import('./secrets-manager.tsx')).SecretsManager }));
const ToolList = later(async () => (await import('./tool-list.tsx')).ToolList);
const ToolEditor = later(async () => (await import('./tool-editor.tsx')).ToolEditor);
const ToolTrial = later(async () => (await import('./tool-trial.tsx')).ToolTrial);
const OpenApiDialog = later(async () => (await import('./openapi-dialog.tsx')).OpenApiDialog);

const none = 'none';

const emptyTool: Tool = {
  name: '',
  description: '',
  method: 'GET',
  url: '',
  headers: [],
  parameters: [],
  approved: false,
};

type Open =
  | { kind: 'edit'; at: number; tool: Tool }
  | { kind: 'try'; tool: Tool }
  | { kind: 'approve'; at: number; tool: Tool }
  | { kind: 'import' };

interface Props extends SectionProps {
  /** Takes over what a dialog has saved. */
  onKept(changes: Partial<Values>): void;
}

export function ToolsSection({ bot, values, set, fieldError, onKept }: Props) {
  const { t } = useTranslation('bots-editor');
  const [open, setOpen] = useState<Open>();
  const { tools } = values;
  const services = useServices();
  const service = services.find(({ uuid }) => uuid === values.service);
  const drawers = services
    .filter(({ group, availability }) => group === 'image-model' && availability === 'ready')
    .map((each) => {
      const price = each.imagePrice ? t('tools.drawingPrice', { price: formatDollars(each.imagePrice) }) : '';
      return toServiceOption(each, price ? [price] : []);
    });
  const close = () => setOpen(undefined);
  const approve = (at: number, approved: boolean) =>
    set(
      'tools',
      tools.map((tool, other) => (other === at ? { ...tool, approved } : tool)),
    );
  const remove = (at: number, tool: Tool) => {
    set('tools', tools.toSpliced(at, 1));
    toast.undo(t('tools.removed', { name: tool.name }), t('common:undo'), () => set('tools', tools));
  };
  return (
    <Section name="tools">
      {tools.length > 0 && (
        <ToolList
          tools={tools}
          fieldError={fieldError}
          onEdit={(at, tool) => setOpen({ kind: 'edit', at, tool })}
          onTry={(tool) => setOpen({ kind: 'try', tool })}
          onRemove={remove}
          onApprove={(at, tool, approved) => (approved ? setOpen({ kind: 'approve', at, tool }) : approve(at, false))}
          onFail={() => {}}
        />
      )}
      {tools.length < botLimits.tools && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => setOpen({ kind: 'edit', at: tools.length, tool: emptyTool })}
          >
            {t('tools.add')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFileImport size={14} />}
            onClick={() => setOpen({ kind: 'import' })}
          >
            {t('tools.import')}
          </Button>
        </Group>
      )}
      <ServiceSelect
        label={t('field.drawing')}
        description={
          values.drawing !== null && service && !service.capabilities.includes('tools')
            ? t('tools.drawingNeeds')
            : t('tools.drawingHint')
        }
        nothingFound={t('model.noneFound')}
        options={[{ value: none, name: t('tools.noDrawing'), tag: '', tooltip: [] }, ...drawers]}
        value={values.drawing ?? none}
        error={fieldError('drawing')}
        onChange={(next) => set('drawing', next === none ? null : next)}
      />
      <Suspense>
        <SecretsManager bot={bot} />
      </Suspense>
      <ConfirmDialog
        opened={open?.kind === 'approve'}
        title={t('approval.title', { name: open?.kind === 'approve' ? open.tool.name : '' })}
        text={t('approval.text', { host: open?.kind === 'approve' ? hostOf(open.tool.url) : '' })}
        confirm={t('approval.confirm')}
        cancel={t('common:cancel')}
        onConfirm={() => {
          if (open?.kind === 'approve') approve(open.at, true);
          close();
        }}
        onClose={close}
      />
      {open?.kind === 'edit' && (
        <ToolEditor
          bot={bot}
          tools={tools}
          at={open.at}
          tool={open.tool}
          onSaved={(next) => onKept({ tools: next })}
          onClose={close}
          onFail={close}
        />
      )}
      {open?.kind === 'try' && <ToolTrial bot={bot} tool={open.tool} onClose={close} onFail={close} />}
      {open?.kind === 'import' && (
        <OpenApiDialog
          bot={bot}
          tools={tools}
          room={botLimits.tools - tools.length}
          onSaved={(next) => onKept({ tools: next })}
          onClose={close}
          onFail={close}
        />
      )}
    </Section>
  );
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);
