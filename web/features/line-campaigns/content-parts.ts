import type { ComponentType } from 'react';
import type { LineBubble } from '../../../shared/line-content.ts';

/** How bubbles are written and drawn, which another feature knows. */
export interface ContentParts {
  Field: ComponentType<{
    label: string;
    value: LineBubble[];
    onChange(bubbles: LineBubble[]): void;
    /** Of a place such as `1.text`. */
    error(path: string): string | undefined;
    /** All get the same, so that nobody is called by name. */
    isNameless?: boolean;
  }>;
  Preview: ComponentType<{ name: string; value: LineBubble[]; empty: string }>;
  /** Without the bubbles in which nothing has been written yet. */
  filled(bubbles: LineBubble[]): LineBubble[];
}
