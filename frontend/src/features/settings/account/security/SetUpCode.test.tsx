// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { show, stubBrowser } from '../../../../store/testing.tsx';
import { SetUpCode } from './SetUpCode.tsx';

beforeEach(stubBrowser);
afterEach(cleanup);

test('on the phone that has the app, the secret is copied or opened: nobody scans their own screen', () => {
  const offer = { secret: 'ABCDEFGH', totp_url: 'otpauth://totp/x?secret=ABCDEFGH', totp_svg: '' };
  show(<SetUpCode offer={offer} onDone={() => Promise.resolve()} onCancel={() => undefined} />);

  expect(screen.getByText('ABCD EFGH')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copy the letters' })).toBeVisible();
  expect(screen.getByText('Open in the app').closest('a')).toHaveAttribute('href', offer.totp_url);
});
