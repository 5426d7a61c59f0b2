import { Alert, Button, CopyButton, Group, Tabs, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import classes from '../called.module.css';
import { type Scope, SCOPES } from '../tokens/scopes.ts';
import { type Called, type Snippet, snippets } from './snippets.ts';

const OFF = {
  tool: 'Switch on “Offer as a tool”: then clients find it with this.',
  chat: 'Switch on “Offer as a chat model”: then clients find it with this.',
};

interface SnippetBoxProps {
  called: Called;
  onToken: (scopes: Scope[]) => void;
}

/** Code to copy, by language, with the token that it needs. */
export function SnippetBox({ called, onToken }: SnippetBoxProps) {
  const [shown, setShown] = useState('curl');
  return (
    <section className={classes.box} aria-label="Code">
      <Tabs value={shown} onChange={(value) => setShown(value ?? 'curl')}>
        <Tabs.List mb="sm">
          {snippets.map((each) => (
            <Tabs.Tab key={each.id} value={each.id}>
              {each.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map((each) => (
          <Tabs.Panel key={each.id} value={each.id}>
            <Code snippet={each} called={called} onToken={onToken} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  );
}

function Code({ snippet, called, onToken }: SnippetBoxProps & { snippet: Snippet }) {
  const { offer } = called;
  const isOff =
    (snippet.needs === 'tool' && offer.tool_name === null) ||
    (snippet.needs === 'chat' && !offer.chat);
  const text = snippet.text(called);
  const needs = SCOPES.filter(({ value }) => snippet.scopes.includes(value));
  return (
    <>
      {isOff && snippet.needs ? (
        <Alert color="yellow" mb="sm">
          {OFF[snippet.needs]}
        </Alert>
      ) : null}
      <pre
        className={`${classes.code} gw-mono`}
        tabIndex={0}
        aria-label={`Code for ${snippet.label}`}
      >
        {text}
      </pre>
      <div className={classes.bar}>
        <Text size="sm" c="dimmed">
          Its token needs: {needs.map(({ label }) => label.toLowerCase()).join(', ')}.
        </Text>
        <Group gap="xs" mt="sm">
          <Button
            variant="default"
            leftSection={<IconKey size={16} />}
            onClick={() => onToken(snippet.scopes)}
          >
            Make a token
          </Button>
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button
                leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                onClick={copy}
              >
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </Group>
      </div>
    </>
  );
}
