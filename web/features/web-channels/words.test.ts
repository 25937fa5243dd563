import { expect, test } from 'vitest';
import en from '../../../shared/locales/en/web-channels.json' with { type: 'json' };
import page from '../../../shared/locales/en/widget-page.json' with { type: 'json' };
import widget from '../../../shared/locales/en/widget.json' with { type: 'json' };
import { otherKeys } from './words.ts';

test('of each text of the widget it is said where it stands', () => {
  expect(Object.keys(en.where).toSorted()).toEqual(otherKeys({ ...widget, ...page }).toSorted());
});
