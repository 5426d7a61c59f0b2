import { describe, expect, it } from 'vitest';
import { addDecimal, compareDecimal, shareOf, subtractDecimal } from './decimal.ts';

describe('decimal', () => {
  it('adds what floating point gets wrong', () => {
    expect(addDecimal('0.1', '0.2')).toBe('0.3');
    expect(addDecimal('1.50', '0.000240')).toBe('1.50024');
  });

  it('reads exponents and signs', () => {
    expect(addDecimal('2E-7', '1e-7')).toBe('0.0000003');
    expect(subtractDecimal('0.01', '0.02')).toBe('-0.01');
  });

  it('compares by value, not by text', () => {
    expect(compareDecimal('1.50', '1.5')).toBe(0);
    expect(compareDecimal('0.9', '0.10')).toBeGreaterThan(0);
  });

  it('gives a share between 0 and 1', () => {
    expect(shareOf('0.25', '1')).toBe(0.25);
    expect(shareOf('5', '1')).toBe(1);
    expect(shareOf('1', '0')).toBe(0);
  });
});
