// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import { copyText } from './copyText.ts';

afterEach(() => vi.unstubAllGlobals());

test('where the browser gives no clipboard, the text is copied from the page', async () => {
  vi.stubGlobal('navigator', {});
  const seen: string[] = [];
  document.execCommand = () => {
    seen.push(document.querySelector('textarea')?.value ?? '');
    return true;
  };

  await copyText('run 7');

  expect(seen).toEqual(['run 7']);
  expect(document.querySelector('textarea')).toBeNull();
});

test('it says so when the browser refuses', async () => {
  vi.stubGlobal('navigator', {});
  document.execCommand = () => false;

  await expect(copyText('run 7')).rejects.toThrow('does not let this page copy');
});
