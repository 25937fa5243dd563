import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { modKey } from './mod-key.ts';
import classes from './shortcuts.module.css';

/** Keys that are pressed together stand in one list; either of two lists does it. */
const groups = {
  anywhere: { search: [[modKey, 'K'], ['/']], sheet: [['?']], close: [['Esc']] },
  chat: {
    newThread: [['N']],
    compose: [['C']],
    send: [['Enter']],
    line: [['Shift', 'Enter']],
    editLast: [['↑']],
  },
  inbox: {
    next: [['J'], ['↓']],
    former: [['K'], ['↑']],
    open: [['Enter']],
    search: [['/']],
    reply: [['R']],
    note: [['N']],
    toNote: [[modKey, 'Shift', 'N']],
    canned: [['/']],
    take: [['T']],
    giveBack: [['B']],
    assign: [['A']],
    snooze: [['S']],
    resolve: [['E']],
    unread: [['U']],
  },
  document: { down: [['↓'], ['J']], up: [['↑'], ['K']], edit: [['E']] },
} as const;

/** Every key that does something here. */
export function Shortcuts({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('shell');
  return (
    <Modal opened onClose={onClose} title={t('shortcuts.title')} centered>
      {Object.entries(groups).map(([group, keys]) => (
        <section key={group} className={classes['group']}>
          {/* Borders: `Object.entries` forgets the names. */}
          <h3>{t(`shortcuts.group.${group as keyof typeof groups}`)}</h3>
          <dl>
            {Object.entries<readonly (readonly string[])[]>(keys).map(([name, ways]) => (
              <div key={name}>
                <dt>{t(`shortcuts.${group}.${name}` as 'shortcuts.anywhere.search')}</dt>
                <dd>
                  {ways.map((way) => (
                    <span key={way.join()}>
                      {way.map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
