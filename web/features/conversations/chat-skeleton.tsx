import { Skeleton } from '@mantine/core';
import classes from './conversations.module.css';

/** In the shape of a question and its answer. */
export function ChatSkeleton() {
  return (
    <div className={classes['column']}>
      <Skeleton height={38} width="46%" ml="auto" mb={24} />
      <div className={classes['answer']}>
        <Skeleton height={24} width={24} />
        <div>
          <Skeleton height={10} width="24%" mt={7} mb={16} />
          {[96, 88, 92, 61].map((width) => (
            <Skeleton key={width} height={10} width={`${width}%`} mb={14} />
          ))}
        </div>
      </div>
    </div>
  );
}
