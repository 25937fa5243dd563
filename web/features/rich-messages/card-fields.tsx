import { ActionIcon, Button, Menu, Stack, Switch, Textarea, TextInput, VisuallyHidden } from '@mantine/core';
import {
  IconArrowLeft,
  IconArrowRight,
  IconChevronDown,
  IconCopy,
  IconDots,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { shownType } from '../../../shared/line-uri.ts';
import { buttonStyles, cardRatios, maxButtons, maxCards, maxFacts } from '../../../shared/rich-line.ts';
import type { Card, CardAction, CardsDraft } from '../../../shared/rich-message.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useKeys } from '../../lib/use-keys.ts';
import { Segments } from '../../ui/segments.tsx';
import { ActionFields } from './action-fields.tsx';
import { Fold } from './fold.tsx';
import { completed, emptyAction, emptyCard, hasBlank, isBlank } from './draft.ts';
import { LookColor } from './look-color.tsx';
import { PictureField } from './picture-field.tsx';
import classes from './rich-messages.module.css';

const kinds = ['uri', 'message', 'postback'] as const;

interface Props {
  edit: CardsDraft;
  onChange(edit: CardsDraft): void;
  error(path: string): string | undefined;
  isWrong(card: number): boolean;
  /** Which card is open, where there are so many. */
  open: number;
  onOpen(card: number): void;
}

/** The cards as tabs in their order, one of them open. */
export function CardFields({ edit, onChange, error, isWrong, open, onOpen }: Props) {
  const { t } = useTranslation('rich-messages');
  const { cards, more } = edit;
  const keys = useKeys(cards);
  const [told, setTold] = useState('');
  const at = Math.min(open, cards.length - 1);
  const card = cards[at];
  const set = (next: Card[]) => onChange({ ...edit, cards: next });
  const move = (step: number) => {
    if (!card) return;
    set(cards.toSpliced(at, 1).toSpliced(at + step, 0, card));
    onOpen(at + step);
    setTold(t('cards.moved', { number: at + step + 1 }));
  };
  const add = (next: Card) => {
    set(cards.toSpliced(at + 1, 0, next));
    onOpen(at + 1);
  };
  const menu = card && (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          className={classes['menu'] ?? ''}
          aria-label={t('common:menuOf', { name: t('cards.card', { number: at + 1 }) })}
          title={t('common:menuOf', { name: t('cards.card', { number: at + 1 }) })}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {cards.length > 1 && (
          <>
            <Menu.Item leftSection={<IconArrowLeft size={16} />} disabled={at === 0} onClick={() => move(-1)}>
              {t('cards.before')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowRight size={16} />}
              disabled={at === cards.length - 1}
              onClick={() => move(1)}
            >
              {t('cards.after')}
            </Menu.Item>
          </>
        )}
        <Menu.Item
          leftSection={<IconCopy size={16} />}
          disabled={cards.length >= maxCards}
          onClick={() => add(structuredClone(card))}
        >
          {t('cards.copy')}
        </Menu.Item>
        {cards.length > 1 && (
          <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={() => set(cards.toSpliced(at, 1))}>
            {t('cards.remove')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
  return (
    <>
      <section className={classes['cards']} aria-label={t('cards.title')}>
        {cards.length > 1 && (
          <div className={classes['cardTabs']} role="group" aria-label={t('cards.title')}>
            {cards.map((each, index) => (
              <button
                key={index}
                type="button"
                aria-pressed={index === at}
                aria-label={`${t('cards.card', { number: index + 1 })} ${each.title}`.trim()}
                data-wrong={isWrong(index) || undefined}
                data-blank={hasBlank(each) || undefined}
                onClick={() => onOpen(index)}
              >
                <b>{index + 1}</b> <span>{each.title || t('cards.untitled')}</span>
              </button>
            ))}
          </div>
        )}
        {error('cards') && (
          <p className={classes['problem']} role="alert">
            {error('cards')}
          </p>
        )}
        <div className={classes['card']}>
          <header>
            <h2>{cards.length > 1 ? t('cards.at', { number: at + 1, count: cards.length }) : t('cards.one')}</h2>
            {menu}
          </header>
          {/* A picture on its way into a card is not lost when another one is looked at. */}
          {cards.map((each, index) => (
            <Stack
              key={keys[index]}
              role="group"
              aria-label={t('cards.card', { number: index + 1 })}
              hidden={index !== at}
              display={index === at ? 'flex' : 'none'}
            >
              <OneCard
                card={each}
                onChange={(next) => set(cards.with(index, next))}
                error={(field) => error(`cards.${index}${field}`)}
              />
            </Stack>
          ))}
        </div>
        {cards.length < maxCards ? (
          <Button
            size="xs"
            variant="default"
            className={classes['tall'] ?? ''}
            leftSection={<IconPlus size={14} />}
            onClick={() => add(structuredClone(emptyCard))}
          >
            {t('cards.add')}
          </Button>
        ) : (
          <Count count={cards.length} most={maxCards} />
        )}
        <VisuallyHidden aria-live="polite">{told}</VisuallyHidden>
      </section>
      <Fold
        title={t('cards.more')}
        now={more ? more.label : t('cards.moreOff')}
        isOpen={more !== null && isBlank(more)}
        isWrong={actionFields.some((field) => error(`more.${field}`) !== undefined)}
      >
        <Stack className={classes['fields'] ?? ''}>
          <Switch
            label={t('cards.moreOn')}
            description={t('cards.moreHint')}
            checked={more !== null}
            onChange={(event) =>
              onChange({
                ...edit,
                more: event.currentTarget.checked ? { ...emptyAction, label: t('cards.moreLabel') } : null,
              })
            }
          />
          {more && (
            <ActionFields
              action={more}
              kinds={kinds}
              isButton
              onChange={(next) => onChange({ ...edit, more: next })}
              error={(field) => error(`more.${field}`)}
            />
          )}
        </Stack>
      </Fold>
      <Fold title={t('cards.look')} now={t(`cards.ratios.${edit.ratio}`)} isWrong={error('color') !== undefined}>
        <Stack className={classes['fields'] ?? ''}>
          <div>
            <b className={classes['fieldName']}>{t('cards.ratio')}</b>
            <Segments
              label={t('cards.ratio')}
              value={edit.ratio}
              options={cardRatios.map((value) => ({ value, label: t(`cards.ratios.${value}`) }))}
              onChange={(ratio) => onChange({ ...edit, ratio })}
            />
            {cards.every(({ picture }) => picture === null) && (
              <p className={`${classes['hint']} ${classes['after']}`}>{t('cards.ratioHint')}</p>
            )}
          </div>
          <LookColor
            label={t('cards.color')}
            value={edit.color}
            onChange={(color) => onChange({ ...edit, color })}
            error={error('color')}
          />
        </Stack>
      </Fold>
    </>
  );
}

/** How many there are of as many as LINE takes. */
function Count({ count, most }: { count: number; most: number }) {
  const { t } = useTranslation('rich-messages');
  return <small className={classes['ofMost']}>{t('cards.most', { number: count, most })}</small>;
}

interface CardProps {
  card: Card;
  onChange(card: Card): void;
  /** Of a path below the card, with its dot. */
  error(path: string): string | undefined;
}

function OneCard({ card, onChange, error }: CardProps) {
  const { t } = useTranslation('rich-messages');
  const set = (changes: Partial<Card>) => onChange({ ...card, ...changes });
  const { picture, facts, buttons } = card;
  const [open, setOpen] = useState<number>();
  return (
    <>
      {error('') && (
        <p className={classes['problem']} role="alert">
          {error('')}
        </p>
      )}
      <PictureField
        label={t('cards.picture')}
        picture={picture}
        onChange={(next) => set({ picture: next })}
        onRemove={() => set({ picture: null })}
        error={error('.picture')}
      />
      <TextInput
        label={t('cards.heading')}
        value={card.title}
        maxLength={60}
        onChange={(event) => set({ title: event.currentTarget.value })}
        error={error('.title')}
      />
      <Textarea
        label={t('cards.text')}
        value={card.text}
        maxLength={400}
        autosize
        minRows={2}
        onChange={(event) => set({ text: event.currentTarget.value })}
        error={error('.text')}
      />
      <div role="group" aria-label={t('cards.facts')}>
        <b className={classes['group']}>
          {t('cards.facts')}{' '}
          {facts.length > 0 ? (
            <Count count={facts.length} most={maxFacts} />
          ) : (
            <small className={classes['ofMost']}>{t('cards.factsHint')}</small>
          )}
        </b>
        {facts.map((fact, at) => (
          <div key={at} className={classes['fact']}>
            <TextInput
              aria-label={t('cards.factName', { number: at + 1 })}
              placeholder={t('cards.factNameExample')}
              value={fact.name}
              maxLength={20}
              onChange={(event) => set({ facts: facts.with(at, { ...fact, name: event.currentTarget.value }) })}
              error={error(`.facts.${at}.name`)}
            />
            <TextInput
              aria-label={t('cards.factValue', { number: at + 1 })}
              placeholder={t('cards.factValueExample')}
              value={fact.value}
              maxLength={60}
              onChange={(event) => set({ facts: facts.with(at, { ...fact, value: event.currentTarget.value }) })}
              error={error(`.facts.${at}.value`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              className={classes['bin'] ?? ''}
              aria-label={t('cards.factRemove', { number: at + 1 })}
              onClick={() => set({ facts: facts.toSpliced(at, 1) })}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
        ))}
        {facts.length < maxFacts && (
          <Button
            size="xs"
            variant="subtle"
            ml={-8}
            leftSection={<IconPlus size={14} />}
            onClick={() => set({ facts: [...facts, { name: '', value: '' }] })}
          >
            {t('cards.factAdd')}
          </Button>
        )}
      </div>
      <div role="group" aria-label={t('cards.buttons')}>
        <b className={classes['group']}>
          {t('cards.buttons')} {buttons.length > 0 && <Count count={buttons.length} most={maxButtons} />}
        </b>
        {buttons.map((button, at) => (
          <OneButton
            key={at}
            number={at + 1}
            button={button}
            isOpen={at === open}
            onToggle={setOpen}
            onChange={(next) => set({ buttons: buttons.with(at, next) })}
            onRemove={() => {
              setOpen(undefined);
              set({ buttons: buttons.toSpliced(at, 1) });
            }}
            error={(field) => error(`.buttons.${at}.action.${field}`)}
          />
        ))}
        {buttons.length < maxButtons && (
          <Button
            size="xs"
            variant="subtle"
            ml={-8}
            leftSection={<IconPlus size={14} />}
            onClick={() => {
              setOpen(buttons.length);
              set({
                buttons: [...buttons, { style: buttons.length === 0 ? 'primary' : 'link', action: { ...emptyAction } }],
              });
            }}
          >
            {t('cards.buttonAdd')}
          </Button>
        )}
      </div>
    </>
  );
}

interface ButtonProps {
  number: number;
  button: Card['buttons'][number];
  isOpen: boolean;
  onToggle(at: number | undefined): void;
  onChange(button: Card['buttons'][number]): void;
  onRemove(): void;
  error(field: string): string | undefined;
}

const actionFields = ['label', 'uri', 'text', 'data', 'displayText'];

/** One line that says what it does, until it is opened; what is wrong shows itself. */
function OneButton({ number, button, isOpen, onToggle, onChange, onRemove, error }: ButtonProps) {
  const { t } = useTranslation('rich-messages');
  const { action, style } = button;
  const isWrong = actionFields.some((field) => error(field) !== undefined);
  const [wasWrong, setWasWrong] = useState(false);
  // What a fault has opened stays open while it is mended.
  if (isWrong && !wasWrong) setWasWrong(true);
  const isShown = isOpen || wasWrong;
  const toggle = () => {
    setWasWrong(false);
    onToggle(isShown ? undefined : number - 1);
  };
  const name = t('cards.button', { number });
  return (
    <div className={classes['button']} role="group" aria-label={name}>
      <div className={classes['buttonHead']}>
        <button type="button" aria-expanded={isShown} onClick={toggle}>
          <span>
            <b>{action.label || name}</b>
            {!isShown &&
              (isBlank(action) ? (
                <small className={classes['blank']}>{t('cards.blank')}</small>
              ) : (
                <small>{t(`cards.does.${shownType(action)}`, { what: whatOf(action) })}</small>
              ))}
          </span>
          <IconChevronDown size={16} stroke={1.75} aria-hidden />
        </button>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          className={classes['bin'] ?? ''}
          aria-label={t('cards.buttonRemove', { number })}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </div>
      {isShown && (
        <Stack gap={12} className={classes['buttonFields'] ?? ''}>
          <ActionFields
            action={action}
            kinds={kinds}
            isButton
            onChange={(next) => onChange({ ...button, action: next })}
            error={error}
          />
          <div>
            <b className={classes['fieldName']}>{t('cards.style')}</b>
            <Segments
              label={t('cards.style')}
              value={style}
              options={buttonStyles.map((value) => ({ value, label: t(`cards.styles.${value}`) }))}
              onChange={(next) => onChange({ ...button, style: next })}
            />
          </div>
        </Stack>
      )}
    </div>
  );
}

function whatOf(action: CardAction): string {
  if (action.type === 'uri') return completed(action.uri).replace(/^(?:https?:\/\/|tel:)/, '');
  return action.type === 'message' ? action.text : (action.displayText ?? '');
}
