import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, type ComponentType, type ReactNode } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { PanelArea, SidePanel } from '../../ui/side-panel.tsx';
import { Conversation, type ConversationHandle } from './conversation.tsx';
import { keptThreads, useInboxThread } from './inbox.queries.ts';
import type { AnswerText, RichParts } from './message.tsx';
import { Person, PersonActions, PersonBody } from './person.tsx';
import { nextOpen, type Filter } from './rows.ts';
import { Start } from './start.tsx';
import { goToRow, ThreadList } from './thread-list.tsx';
import { useLiveThreads } from './use-live.ts';
import classes from './inbox.module.css';

interface Props {
  filter: Filter;
  thread: string | undefined;
  isPersonOpen: boolean;
  /** Something else is open at the end, and takes the person's place. */
  isBeside: boolean;
  AnswerText: AnswerText;
  rich: RichParts;
  /** What somebody was sent on LINE. */
  Received: ComponentType<{ guest: string }>;
  onFilter(changes: Partial<Filter>): void;
  onPerson(isOpen: boolean): void;
  /** From a conversation to the list. */
  onLeave(): void;
  /** To another conversation, in the place of the one that is open. */
  onGo(thread: string): void;
  onCitation(citation: Citation): void;
  onWhy: ((thread: string, message: string) => void) | undefined;
  /** Panels that open beside a conversation. */
  children: ReactNode;
}

/** List, conversation and person beside each other; where there is less room the person is a panel, and on a phone each is a page. */
export function Inbox({
  filter,
  thread,
  isPersonOpen,
  isBeside,
  AnswerText,
  rich,
  Received,
  onFilter,
  onPerson,
  onLeave,
  onGo,
  onCitation,
  onWhy,
  children,
}: Props) {
  useLiveThreads();
  const client = useQueryClient();
  const conversation = useRef<ConversationHandle>(null);
  const atOnce = { getInitialValueInEffect: false };
  const isWide = useMediaQuery('(min-width: 75em)', false, atOnce);
  const isPhone = useMediaQuery('(max-width: 48em)', false, atOnce);
  const shows = thread === undefined ? 'list' : isPhone && isPersonOpen ? 'person' : 'thread';
  // What a dialog or a menu is asking comes first.
  const isFree = () => !document.querySelector('[aria-modal="true"], [role="menu"]');
  useHotkeys([
    ['j', () => void (isFree() && goToRow(1))],
    ['k', () => void (isFree() && goToRow(-1))],
    ['r', () => void (isFree() && conversation.current?.write('reply'))],
    ['n', () => void (isFree() && conversation.current?.write('note'))],
    ['t', () => void (isFree() && conversation.current?.carryOut('take'))],
    ['b', () => void (isFree() && conversation.current?.carryOut('giveBack'))],
    ['a', () => void (isFree() && conversation.current?.open('assign'))],
    ['s', () => void (isFree() && conversation.current?.open('snooze'))],
    ['e', () => void (isFree() && conversation.current?.carryOut('resolve'))],
    ['u', () => void (isFree() && conversation.current?.unread())],
  ]);
  return (
    <PanelArea className={classes['inbox']}>
      <div className={classes['panes']} data-shows={shows}>
        <ThreadList filter={filter} thread={thread} onFilter={onFilter} />
        {thread === undefined ? (
          <Start filter={filter} />
        ) : (
          <Conversation
            key={thread}
            ref={conversation}
            uuid={thread}
            AnswerText={AnswerText}
            rich={rich}
            onCitation={onCitation}
            onWhy={onWhy}
            onBack={onLeave}
            onPerson={() => onPerson(true)}
            nextAfter={(uuid) => nextOpen(keptThreads(client, filter), uuid)}
            onGo={onGo}
          />
        )}
        {thread !== undefined && (isWide ? !isBeside : isPersonOpen) && (
          <PersonOf
            thread={thread}
            place={isWide ? 'pane' : isPhone ? 'page' : 'panel'}
            Received={Received}
            onCitation={onCitation}
            onClose={() => onPerson(false)}
            onErased={onLeave}
          />
        )}
      </div>
      {children}
    </PanelArea>
  );
}

interface PersonOfProps {
  thread: string;
  place: 'pane' | 'page' | 'panel';
  Received: ComponentType<{ guest: string }>;
  onCitation(citation: Citation): void;
  onClose(): void;
  onErased(): void;
}

function PersonOf({ thread, place, Received, onCitation, onClose, onErased }: PersonOfProps) {
  const { t } = useTranslation('inbox');
  const guest = useInboxThread(thread).data?.guest.uuid;
  if (guest === undefined) return null;
  const body = { guest, thread, Received, onCitation };
  if (place === 'panel')
    return (
      <SidePanel
        opened
        title={t('person.title')}
        end={<PersonActions guest={guest} onErased={onErased} />}
        onClose={onClose}
      >
        <PersonBody {...body} />
      </SidePanel>
    );
  return (
    <aside className={classes['profile']} aria-label={t('person.title')}>
      <Person {...body} onErased={onErased} onBack={place === 'page' ? onClose : undefined} />
    </aside>
  );
}
