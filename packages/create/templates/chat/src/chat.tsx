import { useChat } from '@ai-sdk/react'
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses as isDecided,
  type UIMessage,
} from 'ai'
import { useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Composer } from './composer.tsx'
import { problemOf, textOf, untilCall, validParts, withOthers } from './parts.ts'
import { useReload } from './reload.ts'
import { Text } from './text.tsx'
import { texts } from './texts.ts'
import { type Decide, Tool, type ToolProps } from './tool.tsx'

interface ChatPageProps {
  id: string
  messages: UIMessage[]
  onBegin: (title: string) => void
}

export function ChatPage({ id, messages: initial, onBegin }: ChatPageProps) {
  const chat = useChat({
    id,
    messages: initial,
    resume: initial.length > 0,
    transport: new DefaultChatTransport({ api: '/api/chat' }),
    sendAutomaticallyWhen: isDecided,
    experimental_throttle: 40,
    onData: (part) => chat.setMessages((shown) => withOthers(shown, part)),
  })
  useReload(chat)
  const { messages, status } = chat
  const isBusy = status === 'submitted' || status === 'streaming'
  const waits = messages.at(-1)?.parts.some((part) => 'state' in part && part.state === 'approval-requested')
  const send = (text: string, messageId?: string) => {
    if (messages.length === 0) onBegin(text)
    void chat.sendMessage({ text, ...(messageId && { messageId }) })
  }
  // The server continues an answer when the page disconnects, so it needs a request to stop.
  const stop = () => void Promise.all([chat.stop(), fetch(`/api/chat/${id}/stream`, { method: 'DELETE' })])
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => void end.current?.scrollIntoView({ block: 'end' }), [messages, status])
  return (
    <>
      <main>
        {messages.length === 0 && <Greeting send={send} />}
        <Messages chat={chat} isBusy={isBusy} canAct={!isBusy && !waits} send={send} />
        <div ref={end} className="end" />
      </main>
      <footer>
        <Composer
          label="Message"
          placeholder={waits ? 'Approve or reject the call above first' : texts.placeholder}
          isOff={waits}
          onSend={send}
          onStop={isBusy ? stop : undefined}
        />
        <p className="hint">{texts.note}</p>
      </footer>
    </>
  )
}

function Greeting({ send }: { send: (text: string) => void }) {
  return (
    <section className="empty">
      <h2>{texts.greeting}</h2>
      <p>{texts.about}</p>
      {texts.examples.map((text) => (
        <Button key={text} onClick={() => send(text)}>
          {text}
        </Button>
      ))}
    </section>
  )
}

interface MessagesProps {
  chat: ReturnType<typeof useChat>
  isBusy: boolean
  canAct: boolean
  send: (text: string, messageId: string) => void
}

function Messages({ chat, isBusy, canAct, send }: MessagesProps) {
  const { messages, status, error } = chat
  const [edited, setEdited] = useState<string>()
  const decide: Decide = ({ approval, toolCallId }, { approved, reason, input }) => {
    chat.setMessages((all) => untilCall(all, toolCallId, input))
    void chat.addToolApprovalResponse({ id: approval!.id, approved, ...(reason && { reason }) })
  }
  const again = { 'Try again': () => void chat.regenerate() }
  const lastOfUser = messages.findLast(({ role }) => role === 'user')
  const actionsOf = (message: UIMessage): Record<string, () => void> => {
    if (!canAct || edited === message.id) return {}
    if (message === lastOfUser) return { Edit: () => setEdited(message.id) }
    if (message !== messages.at(-1)) return {}
    return { Copy: () => void navigator.clipboard.writeText(textOf(message)), ...(!error && again) }
  }
  return (
    <div className="messages" role="log" aria-label="Conversation">
      {messages.map((message) => (
        <article key={message.id} className={message.role} aria-label={message.role === 'user' ? 'You' : 'Assistant'}>
          {edited === message.id ? (
            <Composer
              label="Your message"
              initial={textOf(message)}
              onSend={(text) => {
                setEdited(undefined)
                send(text, message.id)
              }}
              onCancel={() => setEdited(undefined)}
            />
          ) : (
            <Parts
              message={message}
              isLive={isBusy && message === messages.at(-1)}
              decide={isBusy ? undefined : decide}
            />
          )}
          <Actions of={actionsOf(message)} />
        </article>
      ))}
      {status === 'submitted' && <p className="thinking">Thinking</p>}
      {(error || (!isBusy && messages.at(-1)?.role === 'user')) && (
        <div className="ended" role={error ? 'alert' : 'status'}>
          {error ? problemOf(error) : 'Stopped before the answer.'} <Actions of={again} />
        </div>
      )}
    </div>
  )
}

function Actions({ of }: { of: Record<string, () => void> }) {
  const buttons = Object.entries(of).map(([name, onClick]) => (
    <Button key={name} onClick={onClick}>
      {name}
    </Button>
  ))
  return buttons.length === 0 ? null : <div className="actions">{buttons}</div>
}

function Parts({ message, ...toolProps }: { message: UIMessage } & Omit<ToolProps, 'part'>) {
  return validParts(message).map((part, index) => {
    const key = `${message.id}-${index}`
    if (part.type === 'text') return <Text key={key} text={part.text} />
    if (part.type === 'dynamic-tool') return <Tool key={key} part={part} {...toolProps} />
    if (part.type !== 'reasoning' || !part.text) return null
    return (
      <details key={key} className="tool">
        <summary>Thought</summary>
        <Text text={part.text} />
      </details>
    )
  })
}
