import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { sampleService, type Image } from '../../../shared/contracts/images.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { newId } from '../../lib/new-id.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useMay, useServices } from '../../lib/session.ts';
import { Drawing } from '../../ui/drawing.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Page, State } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Examples } from './examples.tsx';
import { ImageGrid } from './image-grid.tsx';
import { ImagePreview } from './image-preview.tsx';
import {
  fetchPicture,
  useCancelImage,
  useDraw,
  useImage,
  useImages,
  useLiveImages,
  useRemoveImages,
  useRestoreImages,
} from './images.queries.ts';
import { PromptBox, type Draft } from './prompt-box.tsx';
import classes from './images.module.css';

interface Props {
  /** The one that is shown large. */
  shown: string | undefined;
  onShow(uuid: string | undefined): void;
}

const few = 3;

/** Draws pictures from words, and shows those that were drawn. */
export function ImageGallery({ shown, onShow }: Props) {
  const { t } = useTranslation('images');
  const mayEdit = useMay('edit');
  const services = useServices().filter(({ group }) => group === 'image-model');
  const [q, setQ] = useState('');
  const list = useImages(q);
  const partials = useLiveImages();
  const draw = useDraw();
  const cancel = useCancelImage();
  const remove = useRemoveImages();
  const restore = useRestoreImages();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isChoosing, setIsChoosing] = useState(false);
  const endChoosing = () => {
    setSelected(new Set());
    setIsChoosing(false);
  };
  const [draft, setDraft] = useState<Draft>({
    prompt: '',
    service: sampleService,
    size: '1024x1024',
    count: 1,
    references: [],
    mask: undefined,
    seed: undefined,
  });
  const field = useRef<HTMLTextAreaElement>(null);

  const all = list.data?.pages.flatMap((page) => page.data) ?? [];
  const sums = list.data?.pages[0]?.meta;
  const asked = useImage(shown);
  const open = all.find(({ uuid }) => uuid === shown) ?? asked.data;
  const at = all.findIndex(({ uuid }) => uuid === shown);

  const keeps = ({ service, references }: Draft) =>
    references.length > 0 &&
    services.some(({ uuid, capabilities }) => uuid === service && capabilities.includes('mask'));
  const begin = (wanted: Draft) =>
    draw.mutate(
      {
        ...wanted,
        mask: keeps(wanted) ? wanted.mask : undefined,
        seed: wanted.service === sampleService ? wanted.seed : undefined,
        prompt: wanted.prompt.trim(),
        key: newId(),
      },
      {
        onSuccess: () =>
          setDraft((before) => ({
            ...before,
            references: [],
            mask: undefined,
            // Another example may have been chosen meanwhile.
            seed: before.seed === wanted.seed ? undefined : before.seed,
          })),
      },
    );
  const draftOf = (image: Image): Draft => ({
    prompt: image.prompt,
    service: services.some(({ uuid }) => uuid === image.service.uuid) ? image.service.uuid : draft.service,
    size: image.width > image.height ? '1536x1024' : image.width < image.height ? '1024x1536' : '1024x1024',
    count: 1,
    references: image.references,
    mask: undefined,
    seed: undefined,
  });
  const save = async ({ uuid }: Pick<Image, 'uuid'>) => {
    try {
      saveFile(await fetchPicture(uuid), { name: `${uuid}.png`, type: 'image/png' });
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  // Its end is waited for here: what a mutation is told to do then is forgotten with the page, and a link's page goes as the preview closes.
  const throwAway = async (uuids: string[]) => {
    const { done, errors } = await remove.mutateAsync(uuids);
    if (errors[0]) toast.error(t('notDeleted', { count: errors.length, reason: errorText(errors[0]) }));
    else setIsChoosing(false);
    if (done.length === 0) return;
    setSelected((before) => new Set([...before].filter((uuid) => !done.includes(uuid))));
    toast.undo(t('deleted', { count: done.length }), t('undo'), () => void putBack(done));
  };
  const putBack = async (uuids: string[]) => {
    const { errors } = await restore.mutateAsync(uuids);
    if (errors[0]) toast.error(t('notRestored', { count: errors.length, reason: errorText(errors[0]) }));
  };
  const lastSelected = useRef<string>(undefined);
  const select = (uuid: string, isRange: boolean) => {
    const [from, to] = [lastSelected.current, uuid].map((each) => all.findIndex((image) => image.uuid === each));
    lastSelected.current = uuid;
    setSelected((before) => {
      const after = new Set(before);
      if (isRange && from !== undefined && to !== undefined && from >= 0)
        for (const image of all.slice(Math.min(from, to), Math.max(from, to) + 1)) after.add(image.uuid);
      else if (!after.delete(uuid)) after.add(uuid);
      return after;
    });
  };
  const isSelecting = isChoosing || selected.size > 0;
  const leave = useEffectEvent((event: KeyboardEvent) => event.key === 'Escape' && endChoosing());
  useEffect(() => {
    if (!isSelecting || shown !== undefined) return;
    const listen = (event: KeyboardEvent) => leave(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [isSelecting, shown]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  return (
    <Page
      title={t('common:page.images')}
      facts={
        sums &&
        sums.total > 0 &&
        (sums.cost > 0
          ? t('facts', { count: sums.total, credits: formatNumber(Math.round(sums.cost / microPerCredit)) })
          : t('images', { count: sums.total }))
      }
      actions={
        ((sums?.total ?? 0) > 0 || q !== '') && (
          <>
            <div className={classes['find']}>
              <SearchInput value={q} label={t('search')} clearLabel={t('clearSearch')} onChange={setQ} />
            </div>
            {mayEdit && all.length > 0 && (
              <IconButton
                className={classes['choose'] ?? ''}
                label={t(isChoosing ? 'common:done' : 'choose')}
                withLabel
                data-on={isChoosing || undefined}
                onClick={() => (isChoosing ? endChoosing() : setIsChoosing(true))}
              />
            )}
          </>
        )
      }
    >
      {shown !== undefined && asked.isError && !open && (
        <div className={classes['gone']} role="alert">
          <State kind="failed">{t('gone')}</State>
          <Link to="/Trash">{t('trash')}</Link>
          <IconButton label={t('close')} onClick={() => onShow(undefined)}>
            <IconX size={14} />
          </IconButton>
        </div>
      )}
      {mayEdit && (
        <PromptBox
          ref={field}
          draft={draft}
          services={services}
          isBusy={draw.isPending}
          error={problemOf(draw.error)}
          onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
          onDraw={() => begin(draft)}
        />
      )}
      {list.isError ? (
        <ErrorState
          title={t('failed')}
          text={errorText(list.error)}
          retry={t('common:retry')}
          onRetry={() => void list.refetch()}
        />
      ) : list.isPending ? (
        <div className={classes['skeleton']} aria-hidden>
          {Array.from({ length: 8 }, (_, index) => (
            <span key={index} className={classes['blank']} />
          ))}
        </div>
      ) : all.length > 0 ? (
        <ImageGrid
          images={all}
          // Of many, what a search finds stays where it was.
          isNarrow={q === '' && all.length <= few}
          partials={partials}
          selected={selected}
          isChoosing={isSelecting}
          mayEdit={mayEdit}
          onOpen={onShow}
          onSelect={select}
          onCancel={(uuid) => cancel.mutate(uuid, { onError: (error) => toast.error(errorText(error)) })}
          onAgain={(image) => begin(draftOf(image))}
          onNearEnd={more}
        />
      ) : q ? (
        <p className={classes['none']}>{t('none', { q })}</p>
      ) : (
        <div className={classes['empty']}>
          {!mayEdit && <Drawing kind="pictures" size={96} />}
          <h2>{t(mayEdit ? 'empty.examples' : 'empty.title')}</h2>
          {!mayEdit && <p>{t('empty.forReaders')}</p>}
          {mayEdit && (
            <Examples
              onChoose={(example) => {
                setDraft((before) => ({ ...before, ...example }));
                field.current?.focus();
              }}
            />
          )}
        </div>
      )}
      {isSelecting && (
        <div className={classes['bulk']} role="toolbar" aria-label={t('selected', { count: selected.size })}>
          <IconButton label={t('unselect')} onClick={endChoosing}>
            <IconX size={16} />
          </IconButton>
          <span>{t('selected', { count: selected.size })}</span>
          <Button
            size="xs"
            variant="default"
            disabled={selected.size === 0}
            onClick={async () => {
              for (const { uuid, status } of all) if (selected.has(uuid) && status === 'done') await save({ uuid });
            }}
          >
            {t('download')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={remove.isPending}
            disabled={selected.size === 0}
            onClick={() => void throwAway([...selected])}
          >
            {t('delete')}
          </Button>
        </div>
      )}
      {open && (
        <ImagePreview
          image={open}
          siblings={all.filter(({ batch, status }) => batch === open.batch && status === 'done')}
          mayEdit={mayEdit}
          isOpen={shown !== undefined}
          previous={at > 0 ? all[at - 1]?.uuid : undefined}
          next={at >= 0 ? all[at + 1]?.uuid : undefined}
          onShow={onShow}
          onClose={() => onShow(undefined)}
          onReuse={(image) => {
            setDraft(draftOf(image));
            onShow(undefined);
          }}
          onVary={(image) => {
            // The sample reads no pictures: another seed is its variation.
            const takes = image.service.uuid !== sampleService;
            const wanted = { ...draftOf(image), references: takes ? [image.uuid] : [] };
            if (takes) setDraft(wanted);
            else begin(wanted);
            onShow(undefined);
          }}
          onEdit={(image) => {
            // Some model has to keep what is not painted; the sample always does.
            const able = services.filter(
              ({ availability, capabilities }) => availability === 'ready' && capabilities.includes('mask'),
            );
            const { service } = draftOf(image);
            setDraft((before) => ({
              ...before,
              service: able.some(({ uuid }) => uuid === service) ? service : (able[0]?.uuid ?? sampleService),
              references: [image.uuid],
              mask: undefined,
            }));
            onShow(undefined);
          }}
          onDownload={save}
          onRemove={({ uuid }) => {
            onShow(undefined);
            void throwAway([uuid]);
          }}
        />
      )}
    </Page>
  );
}
