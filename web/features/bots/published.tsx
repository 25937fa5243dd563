import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Bot, Visibility } from '../../../shared/contracts/bots.ts';
import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { PublishedLink } from './published-link.tsx';
import { PublishedPlaces } from './published-places.tsx';
import classes from './published.module.css';

interface Props {
  bot: Pick<Bot, 'uuid' | 'name'>;
  visibility: Visibility | undefined;
  /** Draws how a channel is. */
  states: Record<ChannelKind, ComponentType<{ uuid: string; onFail(): void }>>;
  onChangeWho(): void;
  onClose(): void;
}

/** Where it can be met, by whom, and how a program asks it. */
export function Published({ bot, visibility, states, onChangeWho, onClose }: Props) {
  const { t } = useTranslation('bots-publish');
  const chat = `/Bot/${bot.uuid}/Chat`;
  return (
    <div className={classes['published']}>
      <PublishedLink
        name={bot.name}
        address={window.location.origin + chat}
        visibility={visibility}
        onChangeWho={onChangeWho}
      />
      <PublishedPlaces bot={bot.uuid} states={states} />
      <Button component={Link} to={chat} onClick={onClose} className={classes['open'] ?? ''} data-autofocus>
        {t('chat')}
      </Button>
    </div>
  );
}
