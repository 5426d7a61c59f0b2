import { Alert, Button } from '@mantine/core';
import { IconForms, IconMessageCircle, IconPlus } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useBell } from '../../api/live/useBell.ts';
import classes from './chat.module.css';
import { Composer } from './Composer.tsx';
import { plainText } from './plain.ts';
import { newTurn } from './turn.ts';
import { TurnView } from './TurnView.tsx';
import { Unpublished } from './Unpublished.tsx';
import { type Conversation, type Said, useConversation } from './useConversation.ts';
import { type Published, usePublished } from './usePublished.ts';
import { UseHeader } from './UseHeader.tsx';
import { asksForFields } from '../../graph/fields/asksForFields.ts';
import { confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';

/** `/workflows/:graphId/chat`: talk with a published workflow. */
export default function ChatPage() {
  const { graphId = '' } = useParams();
  const found = usePublished(graphId);
  const { published } = found;
  if (!published) return <Unpublished found={found} />;
  return asksForFields(published.version.document.interface?.inputs) ? (
    <OnlyAForm published={published} />
  ) : (
    <Chat key={graphId} published={published} />
  );
}

/** A workflow that starts with fields cannot be told them in one message. */
function OnlyAForm({ published }: { published: Published }) {
  return (
    <div className={classes.page}>
      <UseHeader published={published} as="chat" />
      <EmptyState
        icon={IconForms}
        title="This workflow asks for fields"
        text="It starts with several values, which one message cannot tell apart."
        action={
          <Button component={Link} to={`/workflows/${published.graph.id}/form`}>
            Fill in its form
          </Button>
        }
      />
    </div>
  );
}

function Chat({ published }: { published: Published }) {
  useBell('inbox', 'interrupts');
  const chat = useConversation(published.graph.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const last = chat.said.at(-1);
  const waiting = last !== undefined && chat.turns[last.key]?.status === 'waiting';
  const { busy } = chat;
  useEffect(() => {
    if (!busy) field.current?.focus({ preventScroll: true });
  }, [busy]);
  const restart = async () => {
    const text = busy
      ? 'The run that answers now goes on; you find it under Runs.'
      : 'What was said here leaves this page. The runs stay where they are.';
    if (await confirm({ title: 'Begin a new conversation?', text, confirm: 'New conversation' }))
      chat.restart();
  };
  return (
    <div className={classes.page}>
      <UseHeader published={published} as="chat">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={chat.said.length === 0}
          onClick={() => void restart()}
        >
          New<span className={classes.wideWord}>&nbsp;conversation</span>
        </Button>
      </UseHeader>
      <Log chat={chat} published={published} />
      <footer className={classes.foot}>
        {problem ? (
          <Alert
            color="red"
            title="It was not stopped"
            withCloseButton
            onClose={() => setProblem(null)}
            mb="xs"
          >
            {problem}
          </Alert>
        ) : null}
        <Composer
          busy={busy}
          waiting={waiting}
          field={field}
          onSay={chat.say}
          onStop={() => void chat.stop().then(setProblem)}
        />
      </footer>
    </div>
  );
}

const NEAR = 120;

/** Stay at the end while one reads there; leave whoever scrolled back in peace. */
function useStick(said: number) {
  const scroll = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const box = scroll.current;
    const content = inner.current;
    if (!box || !content) return;
    const observer = new ResizeObserver(() => {
      if (atEnd.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(content);
    observer.observe(box);
    const onScroll = () => {
      atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    };
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, []);
  useEffect(() => {
    atEnd.current = true;
    if (scroll.current) scroll.current.scrollTop = scroll.current.scrollHeight;
  }, [said]);
  return { scroll, inner };
}

function Log({ chat, published }: { chat: Conversation; published: Published }) {
  const { scroll, inner } = useStick(chat.said.length);
  return (
    <div ref={scroll} className={classes.scroll} tabIndex={-1}>
      <div ref={inner} className={classes.log} role="log" aria-label="Conversation">
        {chat.said.length === 0 ? (
          <EmptyState
            icon={IconMessageCircle}
            title={`Talk with ${published.graph.name}`}
            text={
              published.graph.description ||
              'Every message starts a run of the published version; its answer comes here as it is made.'
            }
          />
        ) : null}
        {chat.said.map((entry) => (
          <Exchange
            key={entry.key}
            entry={entry}
            chat={chat}
            labels={published.labels}
            isLast={entry === chat.said.at(-1)}
          />
        ))}
      </div>
    </div>
  );
}

function Exchange({
  entry,
  chat,
  labels,
  isLast,
}: {
  entry: Said;
  chat: Conversation;
  labels: Published['labels'];
  isLast: boolean;
}) {
  const turn = chat.turns[entry.key] ?? newTurn(entry.runId);
  return (
    <article className={classes.exchange} aria-label={`You said: ${entry.text.slice(0, 60)}`}>
      <div className={classes.mine}>
        <div className={classes.text}>{plainText(entry.text)}</div>
      </div>
      <TurnView
        turn={turn}
        labels={labels}
        onAnswered={() => chat.answered(entry.key)}
        onAgain={isLast ? () => chat.say(entry.text) : undefined}
      />
    </article>
  );
}
