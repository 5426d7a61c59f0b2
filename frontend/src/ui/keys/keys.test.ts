import { expect, test } from 'vitest';
import { isSingleKey, keysFrom, matchesKeys } from './keys.ts';
import { formatDuration, formatRelative, formatTokens, formatUsd } from '../format/format.ts';

const stroke = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {},
  code = '',
) => ({ key, code, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held });

test('shortcuts match the stroke they name and no other', () => {
  expect(matchesKeys('Mod+Z', stroke('z', { ctrlKey: true }))).toBe(true);
  expect(matchesKeys('Mod+Z', stroke('Z', { metaKey: true, shiftKey: true }))).toBe(false);
  expect(matchesKeys('Mod+Shift+Z', stroke('Z', { metaKey: true, shiftKey: true }))).toBe(true);
  expect(matchesKeys('Shift+1', stroke('!', { shiftKey: true }, 'Digit1'))).toBe(true);
  expect(matchesKeys('?', stroke('?', { shiftKey: true }))).toBe(true);
  expect(matchesKeys('Alt+A', stroke('å', { altKey: true }, 'KeyA'))).toBe(true);
  expect(matchesKeys('D', stroke('d', { ctrlKey: true }))).toBe(false);
});

test('a symbol that takes AltGr is still a single key', () => {
  expect(matchesKeys('[', stroke('[', { ctrlKey: true, altKey: true }))).toBe(true);
  expect(matchesKeys('[', stroke('['))).toBe(true);
  expect(matchesKeys('[', stroke('[', { ctrlKey: true }))).toBe(false);
  expect(matchesKeys('Mod+.', stroke('.', { ctrlKey: true, altKey: true }))).toBe(false);
});

test('single keys are those that a person could be typing', () => {
  expect([isSingleKey('D'), isSingleKey('?'), isSingleKey('Tab'), isSingleKey('Mod+D')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('small sums are more than zero, large ones are cents', () => {
  expect([formatUsd('0.00024'), formatUsd('0.05'), formatUsd('12.3456'), formatUsd('0')]).toEqual([
    '$0.00024',
    '$0.05',
    '$12.35',
    '$0.00',
  ]);
});

test('counts, durations and distances read as words', () => {
  expect([formatTokens(940), formatTokens(12_400), formatTokens(1_000_000)]).toEqual([
    '940',
    '12.4k',
    '1M',
  ]);
  expect([
    formatDuration(340),
    formatDuration(2400),
    formatDuration(185_000),
    formatDuration(7_800_000),
  ]).toEqual(['340 ms', '2.4 s', '3 min 5 s', '2 h 10 min']);
  const now = new Date('2026-11-21T10:00:00Z');
  expect(formatRelative(new Date('2026-11-21T09:59:58Z'), now)).toBe('just now');
  expect(formatRelative(new Date('2026-11-21T12:00:00Z'), now)).toBe('in 2 hr.');
});

test('a stroke is written as the shortcut that it matches', () => {
  const stroke = (
    key: string,
    code: string,
    held: Partial<Record<'ctrlKey' | 'shiftKey' | 'altKey', boolean>> = {},
  ) => ({ key, code, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held });
  const strokes = [
    stroke('z', 'KeyZ', { ctrlKey: true, shiftKey: true }),
    stroke('!', 'Digit1', { shiftKey: true }),
    stroke('?', 'Minus', { shiftKey: true }),
    stroke('å', 'KeyA', { altKey: true }),
    stroke('F2', 'F2'),
  ];
  expect(strokes.map(keysFrom)).toEqual(['Mod+Shift+Z', 'Shift+1', '?', 'Alt+A', 'F2']);
  expect(strokes.every((each) => matchesKeys(keysFrom(each) ?? '', each))).toBe(true);
  expect(keysFrom(stroke('Shift', 'ShiftLeft', { shiftKey: true }))).toBeNull();
});
