import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';
import classes from './line-campaigns.module.css';

interface Props {
  title: string;
  channel: { uuid: string; name: string } | undefined;
}

/** The shape of a broadcast's page, until what it shows is here. */
export function BroadcastWaiting({ title, channel }: Props) {
  return (
    <Page
      title={title}
      above={
        channel && (
          <>
            <Link to="/Line-Channel/$id" params={{ id: channel.uuid }} search={{ tab: 'broadcasts' }}>
              {channel.name}
            </Link>
            <span aria-hidden>/</span>
          </>
        )
      }
    >
      <div className={classes['editor']} aria-hidden>
        <div className={classes['waiting']}>
          <Skeleton height={136} />
          <Skeleton height={136} />
          <Skeleton height={88} />
        </div>
        <Skeleton height={160} />
      </div>
    </Page>
  );
}
