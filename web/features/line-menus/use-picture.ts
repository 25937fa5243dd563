import { useEffect, useState } from 'react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { Draft } from './draft.ts';
import { usePictureBytes } from './line-menus.queries.ts';
import { readImage } from './read-image.ts';

/** Sharp enough for the screen. */
const shownWidth = 1250;

/** What the menu shows as it is edited: its design, an upload, or the picture that is saved. */
export function usePicture(draft: Draft, menu: RichMenu): CanvasImageSource | undefined {
  const { design, upload } = draft;
  const { size, areas } = draft.menu;
  const saved = usePictureBytes(menu);
  const bytes = design || upload ? undefined : saved.data;
  const file = useBitmap(upload?.file ?? bytes);
  const ground = useImage(design?.picture ?? null);
  const [drawn, setDrawn] = useState<HTMLCanvasElement>();
  // By what they say: the design and the areas are made anew each time that the menu is shown.
  const said = JSON.stringify([design, areas.map(({ bounds }) => bounds), size]);
  useEffect(() => {
    const [wanted, bounds, whole]: [typeof design, (typeof areas)[number]['bounds'][], typeof size] = JSON.parse(said);
    if (!wanted) return undefined;
    let isWanted = true;
    const draw = async () => {
      const { drawDesign, loadFonts } = await import('./draw-design.ts');
      await loadFonts(wanted);
      if (!isWanted) return;
      const canvas = document.createElement('canvas');
      drawDesign(canvas, { design: wanted, areas: bounds, size: whole, picture: ground }, shownWidth);
      setDrawn(canvas);
    };
    // Without its code the picture stays as it was; saving tells why.
    draw().catch(() => {});
    return () => void (isWanted = false);
  }, [said, ground]);
  return design ? drawn : upload || bytes ? file : undefined;
}

function useBitmap(source: Blob | ArrayBuffer | undefined): ImageBitmap | undefined {
  const [bitmap, setBitmap] = useState<ImageBitmap>();
  useEffect(() => {
    if (!source) return undefined;
    let isWanted = true;
    createImageBitmap(source instanceof Blob ? source : new Blob([source])).then(
      (read) => isWanted && setBitmap(read),
      () => isWanted && setBitmap(undefined),
    );
    return () => void (isWanted = false);
  }, [source]);
  return source && bitmap;
}

function useImage(url: string | null): HTMLImageElement | undefined {
  const [image, setImage] = useState<HTMLImageElement>();
  useEffect(() => {
    if (url === null) return undefined;
    let isWanted = true;
    readImage(url).then(
      (read) => isWanted && setImage(read),
      () => {},
    );
    return () => void (isWanted = false);
  }, [url]);
  return url === null ? undefined : image;
}
