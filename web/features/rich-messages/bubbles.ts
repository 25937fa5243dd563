import type { LineBubble } from '../../../shared/line-content.ts';

/** Without the bubbles in which nothing has been written yet. */
export const filledBubbles = (bubbles: LineBubble[]): LineBubble[] =>
  bubbles.filter((bubble) =>
    bubble.type === 'text' ? bubble.text.trim() !== '' : bubble.type === 'image' ? bubble.file !== '' : true,
  );
