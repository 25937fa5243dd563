import { useNavigate } from '@tanstack/react-router';
import { toast } from '../../ui/toast.tsx';
import { useCreateBroadcast } from './line-campaigns.queries.ts';
import { errorText } from '../../lib/error-text.ts';

/** Begins a broadcast that says a rich message, and opens it. */
export function useBeginBroadcast(channel: string) {
  const navigate = useNavigate();
  const create = useCreateBroadcast();
  return {
    isBusy: create.isPending,
    begin: ({ uuid, name }: { uuid: string; name: string }) =>
      create.mutate(
        { channel, name, content: [{ type: 'rich', message: uuid }] },
        {
          onSuccess: (made) =>
            void navigate({
              to: '/Line-Channel/$id/Broadcast/$broadcast',
              params: { id: channel, broadcast: made.uuid },
            }),
          onError: (error) => toast.error(errorText(error)),
        },
      ),
  };
}
