import { useEffect, useRef, useState } from 'react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { MenuAction } from '../../../shared/line-menu.ts';
import { shownType } from '../../../shared/line-uri.ts';
import { areaLetters } from '../../../shared/menu-layout.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ratioOf, type DraftMenu } from './draft.ts';
import classes from './line-menus.module.css';
import { Phone } from './phone.tsx';
import { PictureCanvas } from './picture-canvas.tsx';
import { detailOf } from './state.ts';
import { Thumbnail } from './thumbnail.tsx';

interface Props {
  channel: string;
  menu: RichMenu;
  /** As it is edited. */
  draft: DraftMenu;
  picture: CanvasImageSource | undefined;
  menus: RichMenu[];
}

interface Said {
  side: 'mine' | 'note';
  text: string;
}

/** A phone on which the menu can be tapped; it says what would happen. */
export function Preview({ channel, menu, draft, picture, menus }: Props) {
  const { t } = useTranslation('line-menus');
  const chat = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(draft.selected);
  const [said, setSaid] = useState<Said[]>([]);
  /** Another menu, to which a tab has led. */
  const [other, setOther] = useState<string>();
  const shown = menus.find(({ uuid }) => uuid === other && uuid !== menu.uuid);
  const current = shown?.menu ?? draft;
  const letters = areaLetters(current.areas);
  useEffect(() => {
    chat.current?.scrollTo({ top: chat.current.scrollHeight });
  }, [said]);
  const nameOf = (uuid: string) =>
    uuid === menu.uuid ? draft.name : menus.find((each) => each.uuid === uuid)?.menu.name;
  const tap = (action: MenuAction | null) => {
    setSaid((before) => [...before, ...happens(action)].slice(-20));
    if (action?.type === 'richmenuswitch' && nameOf(action.menu) !== undefined)
      setOther(action.menu === menu.uuid ? undefined : action.menu);
    if (
      action?.type === 'postback' &&
      (action.inputOption === 'closeRichMenu' || action.inputOption === 'openKeyboard')
    )
      setIsOpen(false);
  };
  const happens = (action: MenuAction | null): Said[] => {
    const note = (text: string): Said => ({ side: 'note', text });
    if (!action) return [note(t('preview.nothing'))];
    switch (action.type) {
      case 'uri':
        return [
          shownType(action) === 'call'
            ? note(t('preview.calls', { number: detailOf(action, nameOf) }))
            : note(t('preview.open', { uri: action.uri.replace(/^https?:\/\//, '') || '…' })),
        ];
      case 'message':
        return [{ side: 'mine', text: action.text || '…' }];
      case 'postback':
        return [
          ...(action.displayText ? [{ side: 'mine' as const, text: action.displayText }] : []),
          note(t('preview.bot', { data: action.data })),
        ];
      case 'datetimepicker':
        return [note(t('preview.picks', { data: action.data }))];
      case 'richmenuswitch': {
        const name = nameOf(action.menu);
        return [note(name === undefined ? t('preview.nothing') : t('preview.switched', { name }))];
      }
      case 'clipboard':
        return [note(t('preview.copied', { text: action.clipboardText }))];
    }
  };
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`;
  return (
    <div className={classes['preview']} style={ratioOf(current.size)}>
      <Phone
        title={channel}
        chat={chat}
        bar={current.chatBarText}
        isOpen={isOpen}
        onBar={() => setIsOpen(!isOpen)}
        menu={
          <div
            className={classes['tappable']}
            style={{ aspectRatio: `${current.size.width} / ${current.size.height}` }}
          >
            {shown ? (
              <Thumbnail menu={shown} />
            ) : picture ? (
              <PictureCanvas source={picture} size={draft.size} />
            ) : (
              <Outlines menu={draft} letters={letters} />
            )}
            {current.areas.map(({ bounds, action }, at) => (
              <button
                key={at}
                type="button"
                aria-label={t('preview.tapArea', {
                  letter: letters[at],
                  what: action
                    ? [t(`area.types.${shownType(action)}`), detailOf(action, nameOf)].filter(Boolean).join(' ')
                    : t('preview.nothing'),
                })}
                style={{
                  insetInlineStart: share(bounds.x, current.size.width),
                  top: share(bounds.y, current.size.height),
                  width: share(bounds.width, current.size.width),
                  height: share(bounds.height, current.size.height),
                }}
                onClick={() => tap(action)}
              />
            ))}
          </div>
        }
      >
        <span data-side="theirs">{t('sample.hello')}</span>
        <div role="log" aria-label={t('preview.label')}>
          {said.map(({ side, text }, at) => (
            <span key={at} data-side={side}>
              {text}
            </span>
          ))}
        </div>
      </Phone>
      {shown ? (
        <button type="button" className={classes['link']} onClick={() => setOther(undefined)}>
          {t('preview.back', { name: draft.name })}
        </button>
      ) : (
        <p className={classes['hint']}>{t('preview.hint')}</p>
      )}
    </div>
  );
}

/** Where a picture is still to come. */
const Outlines = ({ menu: { size, areas }, letters }: { menu: DraftMenu; letters: string[] }) => (
  <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden>
    {areas.map(({ bounds: { x, y, width, height } }, at) => (
      <g key={at}>
        <rect x={x} y={y} width={width} height={height} />
        <text x={x + width / 2} y={y + height / 2}>
          {letters[at]}
        </text>
      </g>
    ))}
  </svg>
);
