import { Select, Stack, Textarea } from '@mantine/core';
import { messageKinds, type ConnectionSettings } from '../../../shared/contracts/connections.ts';
import { useTranslation } from '../../lib/i18n.ts';

interface Props {
  kinds: ConnectionSettings['kinds'];
  onChange(kinds: ConnectionSettings['kinds']): void;
  fieldError(path: string): string | undefined;
}

/** What happens to messages that ask nothing. */
export function KindsFields({ kinds, onChange, fieldError }: Props) {
  const { t } = useTranslation('connections');
  return (
    <Stack>
      {messageKinds.map((kind) => {
        const set = (changes: Partial<(typeof kinds)[typeof kind]>) =>
          onChange({ ...kinds, [kind]: { ...kinds[kind], ...changes } });
        return (
          <div key={kind}>
            <Select
              label={t(`kinds.${kind}`)}
              value={kinds[kind].does}
              onChange={(value) => set({ does: ways.find((way) => way === value) ?? 'silent' })}
              data={ways.map((value) => ({ value, label: t(`kinds.does.${value}`) }))}
              allowDeselect={false}
            />
            {kinds[kind].does === 'reply' && (
              <Textarea
                mt="xs"
                aria-label={t('kinds.replyTo', { kind: t(`kinds.${kind}`) })}
                placeholder={t(`kinds.placeholder.${kind}`)}
                description={t('kinds.replyHint')}
                value={kinds[kind].reply}
                onChange={(event) => set({ reply: event.currentTarget.value })}
                maxLength={1000}
                autosize
                error={fieldError(`kinds.${kind}.reply`)}
              />
            )}
          </div>
        );
      })}
    </Stack>
  );
}

const ways = ['silent', 'reply', 'staff'] as const;
