// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { AuditSettings } from './AuditSettings.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the days that the log is narrowed by say in sight which is the first', () => {
  serve({});
  show(<AuditSettings />);

  expect(['From', 'To'].map((name) => screen.getByText(name).tagName)).toEqual(['LABEL', 'LABEL']);
});
