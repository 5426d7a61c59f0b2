import { describe, expect, it } from 'vitest';
import { fieldsOf, headersOf, isAtHome, nameOf, providerId, ratesBody } from './provider.ts';

describe('a model server as a person describes it', () => {
  it.each([
    ['My LLM box', 'my-llm-box'],
    ['  7 Seas!', 'seas'],
    ['Ünïcode', 'n-code'],
    ['---', ''],
    ['a'.repeat(99), 'a'.repeat(63)],
  ])('is called by its name: %s', (label, id) => {
    expect(providerId(label)).toBe(id);
  });

  it.each([
    ['https://llm.example.com/v1', 'example'],
    ['https://api.groq.com/openai/v1', 'groq'],
    ['http://gpu-box:8000', 'gpu-box'],
    ['http://localhost:1234/v1', 'localhost'],
    ['http://127.0.0.1:9/v1', 'My server'],
    ['nonsense', ''],
  ])('has a name proposed: %s', (address, name) => {
    expect(nameOf(address)).toBe(name);
  });

  it.each([
    ['http://127.0.0.1:8080', true],
    ['http://192.168.1.5/v1', true],
    ['http://[::1]:9', true],
    ['https://10.example.com', false],
    ['https://llm.example.com', false],
    ['', false],
  ])('is at home or not: %s', (address, home) => {
    expect(isAtHome(address)).toBe(home);
  });

  it('has headers by line', () => {
    expect(headersOf('X-Team: blue\n\n api-version:2026:01 \nX-Empty')).toEqual({
      'X-Team': 'blue',
      'api-version': '2026:01',
      'X-Empty': '',
    });
  });

  it('has extra fields where they are a JSON object', () => {
    expect(fieldsOf(' ')).toEqual({});
    expect(fieldsOf('{"top_k": 4}')).toEqual({ top_k: 4 });
    expect([fieldsOf('[1]'), fieldsOf('{'), fieldsOf('null')]).toEqual([null, null, null]);
  });

  it('has a price where any was given', () => {
    expect(ratesBody({ input: '', output: '', cached: '1' })).toBeNull();
    expect(ratesBody({ input: '0.5', output: '', cached: '0.1' })).toEqual({
      input_per_million: '0.5',
      output_per_million: '0',
      cached_per_million: '0.1',
    });
  });
});
