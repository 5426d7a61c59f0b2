import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { capital } from './format.ts';

/** What a run says of a model whose key is missing. */
const NO_KEY = /^(.*there is no key for [^:]+: add one )(in the settings)(.*)$/is;

/** What went wrong, with a way to the models where it asks for a key among them. */
export function ErrorText({ text: said }: { text: string }) {
  const text = capital(said);
  const [, before, words, after] = NO_KEY.exec(text) ?? [];
  if (!words) return text;
  return (
    <>
      {before}
      <Anchor component={Link} to="/settings/models" inherit underline="always">
        {words}
      </Anchor>
      {after}
    </>
  );
}
