import { expect, test } from 'vitest';
import { exchangeOf } from './HttpExchange.tsx';

test('a failed HTTP step names what was sent and what came back', () => {
  const request = { method: 'POST', url: 'https://shop.example/pay', body: '{}' };
  expect(exchangeOf({ status: 500, request, answer: { status: 500, body: 'no' } })).toEqual({
    request,
    answer: { status: 500, body: 'no' },
  });
  expect(exchangeOf({ request: { method: 'GET', url: 'https://a.example' } })).toEqual({
    request: { method: 'GET', url: 'https://a.example' },
    answer: null,
  });
});

test('other details are left alone', () => {
  for (const detail of [undefined, null, [], { request: 'x' }, { request: { url: 5 } }])
    expect(exchangeOf(detail)).toBeNull();
});

test('a request to a refused address got no answer because none was sent', () => {
  const request = { method: 'GET', url: 'http://10.0.0.5' };
  expect(exchangeOf({ request, opened_by: 'operator' })).toEqual({ request, unsent: true });
});
