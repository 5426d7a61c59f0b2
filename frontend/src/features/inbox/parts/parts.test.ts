// @vitest-environment jsdom
import { afterEach, expect, it } from 'vitest';
import { goToOtherPart } from './parts.ts';

afterEach(() => document.body.replaceChildren());

const focused = () => document.activeElement?.id;

it('leads from anywhere to what decides the item, and from there to its entry', () => {
  document.body.innerHTML = `
    <section aria-label="Inbox">
      <input id="search" /><a id="one" href="#" data-item></a>
      <a id="two" href="#" data-item aria-current="true"></a>
    </section>
    <section aria-label="Item">
      <article><button id="tool"></button>
        <footer><button disabled></button><button id="approve"></button></footer></article>
    </section>`;

  goToOtherPart();
  expect(focused()).toBe('approve');
  goToOtherPart();
  expect(focused()).toBe('two');
});

it('stays where the other part is empty', () => {
  document.body.innerHTML = '<section aria-label="Item"></section><button id="rail"></button>';
  document.querySelector<HTMLElement>('#rail')?.focus();

  goToOtherPart();
  expect(focused()).toBe('rail');
});
