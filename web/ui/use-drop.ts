import { useState, type DragEvent } from 'react';

/** Files that are dragged over a part of the page and let go. Leaving a child is not leaving, so they are counted. */
export function useDrop(onFiles: (files: File[]) => void) {
  const [depth, setDepth] = useState(0);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return {
    isOver: depth > 0,
    handlers: {
      onDragEnter: (event: DragEvent) => hasFiles(event) && setDepth((before) => before + 1),
      onDragLeave: (event: DragEvent) => hasFiles(event) && setDepth((before) => Math.max(0, before - 1)),
      onDragOver: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
      onDrop(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
